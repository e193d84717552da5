package io.capoa.lab.failure;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.engine.JupiterTestEngine;
import org.junit.platform.engine.CancellationToken;
import org.junit.platform.engine.ConfigurationParameters;
import org.junit.platform.engine.DiscoveryFilter;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.EngineDiscoveryRequest;
import org.junit.platform.engine.EngineExecutionListener;
import org.junit.platform.engine.ExecutionRequest;
import org.junit.platform.engine.OutputDirectoryCreator;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.store.Namespace;
import org.junit.platform.engine.support.store.NamespacedHierarchicalStore;

/** Runs a class of tests within a test. */
final class EngineRun {

    private EngineRun() {}

    /** The failures by the name of the test. */
    static Map<String, Throwable> of(Class<?> tests, Path failures) {
        ConfigurationParameters parameters = new Parameters(Map.of(FailedTests.FOLDER, failures.toString()));
        JupiterTestEngine engine = new JupiterTestEngine();
        OutputDirectoryCreator output = new Output(failures.resolveSibling("output"));
        TestDescriptor all =
                engine.discover(new Request(tests, parameters, output), UniqueId.forEngine(engine.getId()));
        Map<String, Throwable> failed = new TreeMap<>();
        EngineExecutionListener listener = new EngineExecutionListener() {
            @Override
            public void executionFinished(TestDescriptor test, TestExecutionResult result) {
                if (result.getStatus() == TestExecutionResult.Status.FAILED) {
                    result.getThrowable().ifPresent(failure -> failed.put(test.getDisplayName(), failure));
                }
            }
        };
        try (NamespacedHierarchicalStore<Namespace> session = new NamespacedHierarchicalStore<>(null);
                NamespacedHierarchicalStore<Namespace> request = session.newChild()) {
            engine.execute(
                    ExecutionRequest.create(all, listener, parameters, output, request, CancellationToken.disabled()));
        }
        return failed;
    }

    private record Request(Class<?> tests, ConfigurationParameters parameters, OutputDirectoryCreator output)
            implements EngineDiscoveryRequest {

        @Override
        public <T extends DiscoverySelector> List<T> getSelectorsByType(Class<T> type) {
            DiscoverySelector selector = DiscoverySelectors.selectClass(tests);
            return type.isInstance(selector) ? List.of(type.cast(selector)) : List.of();
        }

        @Override
        public <T extends DiscoveryFilter<?>> List<T> getFiltersByType(Class<T> type) {
            return List.of();
        }

        @Override
        public ConfigurationParameters getConfigurationParameters() {
            return parameters;
        }

        @Override
        public OutputDirectoryCreator getOutputDirectoryCreator() {
            return output;
        }
    }

    private record Parameters(Map<String, String> values) implements ConfigurationParameters {

        @Override
        public Optional<String> get(String key) {
            return Optional.ofNullable(values.get(key));
        }

        @Override
        public Optional<Boolean> getBoolean(String key) {
            return get(key).map(Boolean::valueOf);
        }

        @Override
        public Set<String> keySet() {
            return values.keySet();
        }
    }

    private record Output(Path root) implements OutputDirectoryCreator {

        @Override
        public Path getRootDirectory() {
            return root;
        }

        @Override
        public Path createOutputDirectory(TestDescriptor test) {
            return root;
        }
    }
}
