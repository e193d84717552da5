package io.capoa.lab.suites;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Every suite is in one tier, which {@code docs/testing.md} lists; {@code -Dcapoa.golden=write} rewrites the list. */
class TiersTest {

    private static final Path ROOT = Path.of("..", "..");
    private static final Path DOCUMENT = ROOT.resolve("docs").resolve("testing.md");
    private static final String BEGIN = "<!-- suites by tier, generated -->\n";
    private static final String END = "<!-- end of suites by tier -->\n";
    private static final List<String> TIERS = List.of("fast", "full", "e2e", "conformance", "endurance");
    /** Run by hand. */
    private static final String BENCHMARK = "Benchmark";

    private static SortedSet<Suite> suites;
    private static List<Execution> executions;

    @BeforeAll
    static void read() throws IOException {
        suites = Suites.of(ROOT);
        executions = Execution.of(ROOT);
        assertThat(suites).hasSizeGreaterThan(300);
    }

    @Test
    void everySuite_isRunByOneExecutionOfOneTier() {
        assertThat(suites.stream().filter(suite -> Execution.isSuiteName(suite.simpleName())))
                .allSatisfy(suite -> assertThat(executions.stream().filter(execution -> execution.runs(suite)))
                        .as("executions of Surefire that run %s with tags %s", suite.name(), suite.tags())
                        .hasSize(1));
    }

    @Test
    void everyClassWithTests_hasTheNameOfASuite_orOfABenchmark() {
        assertThat(suites)
                .filteredOn(suite -> !Execution.isSuiteName(suite.simpleName()))
                .allSatisfy(suite -> assertThat(suite.simpleName()).endsWith(BENCHMARK));
    }

    @Test
    void everyModule_hasSuites_andIsInTheList() throws IOException {
        assertThat(suites.stream().map(Suite::module).distinct()).containsExactlyInAnyOrderElementsOf(Suites.modules());
        try (Stream<Path> files = Files.walk(ROOT, 3)) {
            assertThat(files.filter(file -> file.endsWith("pom.xml"))
                            .filter(file -> Files.isDirectory(file.resolveSibling("src")))
                            .map(file -> ROOT.relativize(file).getParent().toString()))
                    .containsExactlyInAnyOrderElementsOf(Suites.modules());
        }
    }

    @Test
    void aSuiteOfTwoTiers_andOneWhoseTierRunsNothing_areNoticed() {
        assertThat(executions.stream().map(Execution::tier).distinct()).containsExactlyInAnyOrderElementsOf(TIERS);
        assertThat(runs(new Suite("lab/app", "io.capoa.lab.ATest", Set.of("full", "e2e"))))
                .isNotEqualTo(1);
        assertThat(runs(new Suite("api", "io.capoa.api.ATest", Set.of("whole", "full"))))
                .isZero();
        assertThat(runs(new Suite("lab/app", "io.capoa.lab.ATest", Set.of("whole", "full"))))
                .isEqualTo(1);
    }

    @Test
    void theDocument_listsTheTierOfEverySuite() throws IOException {
        String document = Files.readString(DOCUMENT);
        int begin = document.indexOf(BEGIN) + BEGIN.length();
        int end = document.indexOf(END);
        assertThat(begin).as("%s has the marks of the list", DOCUMENT).isBetween(BEGIN.length(), end);
        String expected = document.substring(0, begin) + table() + document.substring(end);
        if ("write".equals(System.getProperty("capoa.golden"))) {
            Files.writeString(DOCUMENT, expected);
        }
        assertThat(DOCUMENT)
                .as(
                        "mvn test -Dtest=TiersTest -Dsurefire.failIfNoSpecifiedTests=false -Dcapoa.golden=write rewrites it")
                .hasContent(expected);
    }

    private static long runs(Suite suite) {
        return executions.stream().filter(execution -> execution.runs(suite)).count();
    }

    private static String table() {
        StringBuilder table = new StringBuilder(
                "\n| module | package | fast | full | e2e, conformance, endurance |\n| --- | --- | --- | --- | --- |\n");
        for (String module : Suites.modules()) {
            SortedSet<String> groups = suites.stream()
                    .filter(suite -> suite.module().equals(module))
                    .map(Suite::group)
                    .collect(Collectors.toCollection(TreeSet::new));
            for (String group : groups) {
                table.append("| %s | %s | %s | %s | %s |%n"
                        .formatted(
                                module,
                                group,
                                names(module, group, "fast"),
                                names(module, group, "full"),
                                names(module, group, "e2e", "conformance", "endurance")));
            }
        }
        return table.append('\n').toString();
    }

    private static String names(String module, String group, String... tiers) {
        SortedSet<String> expected = SuiteReport.expected(suites, executions, Set.of(tiers));
        return suites.stream()
                .filter(suite -> suite.module().equals(module) && suite.group().equals(group))
                .filter(suite -> expected.contains(suite.name()))
                .map(Suite::simpleName)
                .collect(Collectors.joining(", "));
    }
}
