package io.capoa.lab.suites;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Ends a build of all modules: prints where the time went, and each suite that failed or did not run. Modules go on
 * building when a suite fails, and leave the verdict to this program.
 */
public final class SuiteReport {

    private static final int SLOWEST = 25;

    private SuiteReport() {}

    /**
     * Exits with 1 if a suite failed, or did not run although it belongs to a tier of this build. Reads the root and the
     * start of the build, the property {@code test} and the phase of each tier from system properties.
     */
    public static void main(String... args) throws IOException {
        if (System.getProperty("capoa.skipped", "").contains("true")) {
            System.out.println("Tests are skipped in this build.");
            return;
        }
        Path root = Path.of(System.getProperty("capoa.root"));
        FileTime start = FileTime.from(Instant.parse(System.getProperty("capoa.started")));
        Set<String> tiers = List.of("fast", "full", "e2e", "conformance", "endurance").stream()
                .filter(tier -> "test".equals(System.getProperty("capoa." + tier + ".phase")))
                .collect(Collectors.toSet());
        // Maven leaves the expression of an unset property as it is.
        boolean all = System.getProperty("capoa.selected", "").matches("(\\$\\{.*)?");
        List<SuiteResult> results = SuiteResult.of(root, start);
        SortedSet<String> expected = all ? expected(Suites.of(root), Execution.of(root), tiers) : new TreeSet<>();
        System.exit(print(results, expected, System.out) ? 0 : 1);
    }

    /** Names of the suites that the tiers contain. */
    static SortedSet<String> expected(Set<Suite> suites, List<Execution> executions, Set<String> tiers) {
        Predicate<Suite> selected = suite -> executions.stream()
                .filter(execution -> tiers.contains(execution.tier()))
                .anyMatch(execution -> execution.runs(suite));
        return suites.stream()
                .filter(suite -> Execution.isSuiteName(suite.simpleName()))
                .filter(selected)
                .map(Suite::name)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Prints the report; whether all suites ran and passed. */
    static boolean print(List<SuiteResult> results, Set<String> expected, PrintStream out) {
        out.println();
        out.printf("%-24s %7s %7s %8s %9s%n", "module", "suites", "tests", "skipped", "seconds");
        for (String module : Suites.modules()) {
            List<SuiteResult> own =
                    results.stream().filter(r -> r.module().equals(module)).toList();
            if (!own.isEmpty()) {
                line(out, module, own);
            }
        }
        line(out, "all", results);
        out.println();
        out.println(
                "The slowest suites, in seconds (suites run side by side, so their sum exceeds the time of the build):");
        results.stream()
                .sorted(Comparator.comparingDouble(SuiteResult::seconds).reversed())
                .limit(SLOWEST)
                .forEach(result ->
                        out.printf(Locale.ROOT, "%8.1f %5d  %s%n", result.seconds(), result.tests(), result.suite()));
        out.println();
        int failures = failures(results, out);
        int missing = missing(results, expected, out);
        out.println();
        return failures + missing == 0;
    }

    private static void line(PrintStream out, String name, List<SuiteResult> results) {
        out.printf(
                Locale.ROOT,
                "%-24s %7d %7d %8d %9.1f%n",
                name,
                results.size(),
                results.stream().mapToInt(SuiteResult::tests).sum(),
                results.stream().mapToInt(SuiteResult::skipped).sum(),
                results.stream().mapToDouble(SuiteResult::seconds).sum());
    }

    private static int failures(List<SuiteResult> results, PrintStream out) {
        List<SuiteResult> failed =
                results.stream().filter(r -> !r.failures().isEmpty()).toList();
        for (SuiteResult result : failed) {
            result.failures()
                    .forEach(failure -> out.printf("FAILED (%s) %s.%s%n", result.module(), result.suite(), failure));
        }
        return failed.size();
    }

    private static int missing(List<SuiteResult> results, Set<String> expected, PrintStream out) {
        SortedSet<String> missing = new TreeSet<>(expected);
        results.forEach(result -> missing.remove(result.suite()));
        missing.forEach(suite -> out.printf(
                "NOT RUN %s: its test JVM ended before, or its module was not built; see the output above%n", suite));
        return missing.size();
    }
}
