package io.capoa.lab.failure;

import io.capoa.lab.cluster.TestCluster;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * What belongs to a running test: fixtures register it, in the thread of the test, and {@link FailedTests} saves it if
 * the test fails. Outside a test nothing is registered.
 */
public final class Evidence {

    private static final ExtensionContext.Namespace STORE = ExtensionContext.Namespace.create(Evidence.class);
    private static final ThreadLocal<@Nullable ExtensionContext> CURRENT = new ThreadLocal<>();

    private final Set<UsedNamespace> namespaces = new CopyOnWriteArraySet<>();
    private final Set<Path> logs = new CopyOnWriteArraySet<>();

    private Evidence() {}

    /** A namespace that a test uses. */
    record UsedNamespace(TestCluster cluster, String name) {}

    /** The test uses the namespace. */
    public static void namespace(TestCluster cluster, String name) {
        register(test -> test.namespaces.add(new UsedNamespace(cluster, name)));
    }

    /** The test uses a process with this log, or several with logs in this folder. */
    public static void log(Path fileOrFolder) {
        register(test -> test.logs.add(fileOrFolder));
    }

    private static void register(Consumer<Evidence> what) {
        ExtensionContext context = CURRENT.get();
        if (context != null) {
            what.accept(of(context));
        }
    }

    /** From now on this thread registers for the test or the suite of the context. */
    static void begin(ExtensionContext context) {
        CURRENT.set(context);
    }

    static void end() {
        CURRENT.remove();
    }

    /** What was registered for the test, its suite, and the suites around it. */
    static List<Evidence> all(ExtensionContext context) {
        List<Evidence> all = new ArrayList<>();
        for (Optional<ExtensionContext> at = Optional.of(context);
                at.isPresent();
                at = at.flatMap(ExtensionContext::getParent)) {
            all.add(of(at.get()));
        }
        return all;
    }

    /** A key of its own for each context: a store looks in those of its parents as well. */
    private static Evidence of(ExtensionContext context) {
        return context.getStore(STORE).computeIfAbsent(context.getUniqueId(), id -> new Evidence(), Evidence.class);
    }

    Stream<UsedNamespace> namespaces() {
        return namespaces.stream();
    }

    Stream<Path> logs() {
        return logs.stream();
    }
}
