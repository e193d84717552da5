package io.capoa.lab.failure;

import io.capoa.lab.cluster.SharedCluster;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.LifecycleMethodExecutionExceptionHandler;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.junit.jupiter.api.extension.TestInstanceFactoryContext;
import org.junit.jupiter.api.extension.TestInstancePreConstructCallback;
import org.opentest4j.TestAbortedException;

/**
 * Saves the {@link Evidence} of a failed test below {@code target/failures}, while cluster and namespace still exist; the
 * message of the failure ends with the folder. JUnit registers it by itself.
 */
public final class FailedTests
        implements BeforeAllCallback,
                TestInstancePreConstructCallback,
                BeforeEachCallback,
                AfterEachCallback,
                AfterAllCallback,
                TestExecutionExceptionHandler,
                LifecycleMethodExecutionExceptionHandler {

    /** JUnit configuration parameter with another folder. */
    static final String FOLDER = "capoa.failures";

    @Override
    public ExtensionContextScope getTestInstantiationExtensionContextScope(ExtensionContext root) {
        return ExtensionContextScope.TEST_METHOD;
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        Evidence.begin(context);
    }

    @Override
    public void preConstructTestInstance(TestInstanceFactoryContext factory, ExtensionContext context) {
        Evidence.begin(context);
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        Evidence.begin(context);
    }

    @Override
    public void afterEach(ExtensionContext context) {
        Evidence.end();
    }

    @Override
    public void afterAll(ExtensionContext context) {
        Evidence.end();
    }

    @Override
    public void handleTestExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
        throw saved(context, failure);
    }

    @Override
    public void handleBeforeEachMethodExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
        throw saved(context, failure);
    }

    @Override
    public void handleBeforeAllMethodExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
        throw saved(context, failure);
    }

    private static Throwable saved(ExtensionContext context, Throwable failure) {
        List<Evidence> all = Evidence.all(context);
        Optional<SharedCluster.Use> shared = SharedCluster.usedBy(context);
        boolean none = shared.isEmpty()
                && all.stream()
                        .allMatch(evidence -> evidence.namespaces().findAny().isEmpty()
                                && evidence.logs().findAny().isEmpty());
        if (none || failure instanceof TestAbortedException) {
            return failure;
        }
        Path folder = Path.of(context.getConfigurationParameter(FOLDER).orElse("target/failures"))
                .resolve(name(context))
                .toAbsolutePath();
        new FailureFolder(folder).save(failure, all, shared);
        AssertionError seen = new AssertionError(
                "%s%nsee %s"
                        .formatted(
                                failure instanceof AssertionError ? failure.getMessage() : failure.toString(), folder),
                failure);
        seen.setStackTrace(failure.getStackTrace());
        return seen;
    }

    /** Suite and test; the number of the invocation if the test has parameters. */
    private static String name(ExtensionContext context) {
        String suite = context.getTestClass().map(Class::getSimpleName).orElse("");
        String test =
                context.getTestMethod().map(method -> "." + method.getName()).orElse("");
        String id = context.getUniqueId();
        int invocation = id.lastIndexOf(":#");
        return suite + test + (invocation < 0 ? "" : "." + id.substring(invocation + 2, id.length() - 1));
    }
}
