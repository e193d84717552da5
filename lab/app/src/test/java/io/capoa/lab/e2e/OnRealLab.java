package io.capoa.lab.e2e;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** A suite of the shared {@link RealLab}, whose tests get it as a parameter. It runs beside others of that lab. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@NeedsGo
@Order(OnRealLab.ORDER)
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(value = RealLab.MANAGERS, mode = ResourceAccessMode.READ)
@ExtendWith(RealLab.Shared.class)
@interface OnRealLab {

    /** They begin before suites that need no lab, which fill the gap of the one that replaces the managers. */
    int ORDER = 1;
}
