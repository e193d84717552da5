package io.capoa.lab.cluster;

import java.util.Optional;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Provides one prepared management cluster per test run: the {@link TestCluster} of {@link TestClusters#select()}. Each
 * test uses its own namespace.
 */
public final class SharedCluster implements ParameterResolver {

    private static final ExtensionContext.Namespace STORE = ExtensionContext.Namespace.create(SharedCluster.class);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == TestCluster.class;
    }

    @Override
    public TestCluster resolveParameter(ParameterContext parameter, ExtensionContext context) {
        TestCluster cluster = of(context);
        Use unused = context.getStore(STORE)
                .computeIfAbsent(
                        Use.class, key -> new Use(cluster, cluster.auditLog().map(AuditLog::mark)), Use.class);
        return cluster;
    }

    /** The cluster if the test, or its suite, has it as parameter. */
    public static Optional<Use> usedBy(ExtensionContext context) {
        return Optional.ofNullable(context.getStore(STORE).get(Use.class, Use.class));
    }

    /**
     * The use of the cluster by a test.
     *
     * @param begin end of the audit log when the test got it
     */
    public record Use(TestCluster cluster, Optional<AuditLog.Mark> begin) {}

    /** The cluster of the run, for fixtures. */
    public static TestCluster of(ExtensionContext context) {
        return context.getRoot()
                .getStore(STORE)
                .computeIfAbsent(Started.class, key -> Started.now(), Started.class)
                .cluster();
    }

    /** JUnit closes it with the store, after the last test. */
    private record Started(TestCluster cluster) implements AutoCloseable {

        static Started now() {
            return new Started(TestClusters.select());
        }

        @Override
        public void close() {
            cluster.close();
        }
    }
}
