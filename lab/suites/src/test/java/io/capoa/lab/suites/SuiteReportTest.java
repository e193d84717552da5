package io.capoa.lab.suites;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The verdict on the suites of a build. */
class SuiteReportTest {

    private static final FileTime START = FileTime.from(Instant.parse("2026-11-25T12:00:00Z"));

    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    @TempDir
    Path root;

    @Test
    void allPassed_andAllThatWereExpectedRan() throws IOException {
        result("api", "io.capoa.api.ATest", 1, "<testcase name='a'/>");
        result("lab/app", "io.capoa.lab.BTest", 1, "<testcase name='b'/><testcase name='c'><skipped/></testcase>");

        assertThat(report(Set.of("io.capoa.api.ATest", "io.capoa.lab.BTest"))).isTrue();
        assertThat(text().lines())
                .containsSubsequence(
                        "module                    suites   tests  skipped   seconds",
                        "api                            1       1        0       2.5",
                        "lab/app                        1       2        1       2.5",
                        "all                            2       3        1       5.0");
        assertThat(text()).contains("     2.5     2  io.capoa.lab.BTest");
    }

    @Test
    void eachFailure_isNamed_withTheBeginningOfItsMessage() throws IOException {
        result("api", "io.capoa.api.ATest", 1, """
                <testcase name='a'><failure message='expected: 1&#10;but was: 2'>trace</failure></testcase>
                <testcase name='b'><error>java.lang.IllegalStateException: gone
                at x</error></testcase>
                """);

        assertThat(report(Set.of())).isFalse();
        assertThat(text().lines())
                .contains(
                        "FAILED (api) io.capoa.api.ATest.a: expected: 1 but was: 2",
                        "FAILED (api) io.capoa.api.ATest.b: java.lang.IllegalStateException: gone at x");
    }

    @Test
    void aSuiteWithoutAResultOfThisBuild_didNotRun() throws IOException {
        result("api", "io.capoa.api.ATest", -1, "<testcase name='a'/>");

        assertThat(report(Set.of("io.capoa.api.ATest"))).isFalse();
        assertThat(text()).contains("NOT RUN io.capoa.api.ATest");
    }

    private boolean report(Set<String> expected) throws IOException {
        return SuiteReport.print(
                SuiteResult.of(root, START), expected, new PrintStream(printed, true, StandardCharsets.UTF_8));
    }

    private String text() {
        return printed.toString(StandardCharsets.UTF_8);
    }

    private void result(String module, String suite, int secondsAfterStart, String cases) throws IOException {
        Path folder = Files.createDirectories(root.resolve(module).resolve("target/surefire-reports"));
        int tests = cases.split("<testcase", -1).length - 1;
        int skipped = cases.split("<skipped", -1).length - 1;
        Path file = Files.writeString(
                folder.resolve("TEST-" + suite + ".xml"), """
                <testsuite name="%s" time="2.5" tests="%d" errors="0" skipped="%d" failures="0">%s</testsuite>
                """.formatted(suite, tests, skipped, cases));
        Files.setLastModifiedTime(file, FileTime.from(START.toInstant().plusSeconds(secondsAfterStart)));
    }
}
