package io.capoa.lab.cluster;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Skips tests that need the lab's own API server: its node cannot run pods of a cluster with real nodes. */
public class LocalClusterOnly implements ExecutionCondition {

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        String cluster = System.getProperty(TestClusters.PROPERTY, "");
        return cluster.isBlank() || cluster.equals("local")
                ? ConditionEvaluationResult.enabled("on the lab's own API server")
                : ConditionEvaluationResult.disabled(
                        "the lab's node runs the pods of the lab's own API server alone, not of " + cluster);
    }
}
