package io.capoa.lab.e2e;

import io.capoa.lab.cluster.GoModule;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Skips a suite, with a message, if its Go programs are not available. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(NeedsGo.Condition.class)
@interface NeedsGo {

    /** Prints the reason, because skipped tests are easily overlooked. */
    final class Condition implements ExecutionCondition {

        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            return GoModule.obstacle()
                    .map(obstacle -> {
                        System.err.printf("SKIPPED: %s, because %s.%n", context.getDisplayName(), obstacle);
                        return ConditionEvaluationResult.disabled("skipped because " + obstacle);
                    })
                    .orElseGet(() -> ConditionEvaluationResult.enabled("Go is installed"));
        }
    }
}
