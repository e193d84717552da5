package io.capoa.lab.whole;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * A suite whose tests stop or kill parts of a lab, or load it heavily. It runs in the other lab, alone there and beside
 * suites of the shared one. Together these suites take longest, so that they begin first.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Order(1)
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(WholeLab.OTHER)
@ExtendWith(WholeLab.Disturbed.class)
@interface Disturbing {}
