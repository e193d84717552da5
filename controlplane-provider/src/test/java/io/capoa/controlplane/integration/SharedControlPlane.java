package io.capoa.controlplane.integration;

import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Provides the {@link RunningControlPlane} that all suites of this package share. Its watch filter excludes the control planes
 * of tests that have one of their own: with a clock, a restart, another user, or a registry that fails.
 */
final class SharedControlPlane implements ParameterResolver {

    private static final ExtensionContext.Namespace STORE = ExtensionContext.Namespace.create(SharedControlPlane.class);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == RunningControlPlane.class;
    }

    @Override
    public RunningControlPlane resolveParameter(ParameterContext parameter, ExtensionContext context) {
        // First, because what is stored later is closed earlier.
        TestCluster cluster = SharedCluster.of(context);
        return context.getRoot()
                .getStore(STORE)
                .computeIfAbsent(
                        RunningControlPlane.class,
                        key -> RunningControlPlane.filtered(cluster),
                        RunningControlPlane.class);
    }
}
