package io.capoa.bootstrap.integration;

import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import java.util.Set;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Provides a separate {@link ConfigScene} per test, and the provider. One provider serves all suites of this package; its watch filter excludes
 * other suites on the same API server.
 */
final class Scenes implements ParameterResolver {

    private static final String FILTER = "scenes";
    private static final ExtensionContext.Namespace STORE = ExtensionContext.Namespace.create(Scenes.class);

    private final SharedCluster shared = new SharedCluster();

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return Set.of(ConfigScene.class, BootstrapProcess.class)
                .contains(parameter.getParameter().getType());
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        TestCluster cluster = shared.resolveParameter(parameter, context);
        BootstrapProcess provider = context.getRoot()
                .getStore(STORE)
                .computeIfAbsent(
                        BootstrapProcess.class,
                        key -> BootstrapProcess.start(cluster, "--watch-filter=" + FILTER),
                        BootstrapProcess.class);
        provider.saveLogOnFailure();
        if (parameter.getParameter().getType() == BootstrapProcess.class) {
            return provider;
        }
        return context.getStore(STORE)
                .computeIfAbsent(ConfigScene.class, key -> new ConfigScene(cluster, FILTER), ConfigScene.class);
    }
}
