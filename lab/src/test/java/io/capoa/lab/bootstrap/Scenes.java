package io.capoa.lab.bootstrap;

import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives each test a {@link Scene} of its own. The provider runs once for all suites of this package; by its watch filter
 * it sees nothing of the suites of others, which share the API server.
 */
final class Scenes implements ParameterResolver {

    private static final String FILTER = "scenes";
    private static final ExtensionContext.Namespace STORE = ExtensionContext.Namespace.create(Scenes.class);

    private final SharedCluster shared = new SharedCluster();

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Scene.class;
    }

    @Override
    public Scene resolveParameter(ParameterContext parameter, ExtensionContext context) {
        TestCluster cluster = shared.resolveParameter(parameter, context);
        BootstrapProcess unused = context.getRoot()
                .getStore(STORE)
                .computeIfAbsent(
                        BootstrapProcess.class,
                        key -> BootstrapProcess.start(cluster, "--watch-filter=" + FILTER),
                        BootstrapProcess.class);
        return context.getStore(STORE).computeIfAbsent(Scene.class, key -> new Scene(cluster, FILTER), Scene.class);
    }
}
