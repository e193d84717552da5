package io.capoa.lab.whole;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.ResourceLockTarget;

/**
 * A suite of the shared lab whose tests run beside others. Tests that disturb others, by killing a provider or taking a
 * peer down, are locked with {@link WholeLab#PARTS}; suites of such tests are {@link Disturbing}.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(value = WholeLab.PARTS, mode = ResourceAccessMode.READ, target = ResourceLockTarget.CHILDREN)
@interface SideBySide {}
