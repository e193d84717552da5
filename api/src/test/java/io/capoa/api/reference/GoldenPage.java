package io.capoa.api.reference;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A generated page of the documentation; {@code -Dcapoa.golden=write} rewrites the committed one.
 *
 * @param name of its file in {@code docs}
 * @param page as generated
 * @param test that compares the two
 */
record GoldenPage(String name, String page, Class<?> test) {

    private static final Path DOCS = Path.of("..", "docs");
    private static final Pattern ANCHOR = Pattern.compile("<a id=\"([^\"]+)\">");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.+)$");
    private static final Pattern LINK = Pattern.compile("\\]\\(([a-z-]+\\.md)?#([^)]+)\\)");

    void assertCommitted() throws IOException {
        Path file = DOCS.resolve(name);
        if ("write".equals(System.getProperty("capoa.golden"))) {
            Files.writeString(file, page);
        }

        String committed = Files.exists(file) ? Files.readString(file) : "";
        // The page is too long for a comparison of the whole.
        assertThat(committed.equals(page))
                .as(
                        "docs/%s is out of date; %s; if the change is meant, run: mvn -pl api test -Dtest=%s -Dcapoa.golden=write",
                        name, firstDifference(committed), test.getSimpleName())
                .isTrue();
    }

    private String firstDifference(String committed) {
        String[] before = committed.split("\n", -1);
        String[] after = page.split("\n", -1);
        int line = Arrays.mismatch(before, after);
        return line < 0
                ? "no line differs"
                : "line %d is <%s>, generated is <%s>".formatted(line + 1, at(before, line), at(after, line));
    }

    private static String at(String[] lines, int line) {
        return line < lines.length ? lines[line] : "(end)";
    }

    /** Of links within the page, and to places in other pages; {@code .ci/links} checks that files exist. */
    void assertLinksHaveTargets() throws IOException {
        Set<String> links = new TreeSet<>();
        Set<String> pages = new TreeSet<>();
        LINK.matcher(page).results().forEach(link -> {
            String to = link.group(1) == null ? name : link.group(1);
            pages.add(to);
            links.add(to + "#" + link.group(2));
        });
        Set<String> targets = new TreeSet<>();
        for (String to : pages) {
            String text = to.equals(name) ? page : Files.readString(DOCS.resolve(to));
            targets(text).forEach(target -> targets.add(to + "#" + target));
        }
        assertThat(targets).containsAll(links);
    }

    private static Set<String> targets(String text) {
        Set<String> targets = new TreeSet<>(found(ANCHOR, text));
        found(HEADING, text)
                .forEach(heading -> targets.add(heading.toLowerCase(Locale.ROOT)
                        .replaceAll("[^a-z0-9_ -]", "")
                        .replace(' ', '-')));
        return targets;
    }

    void assertAnchorsAreUnique() {
        assertThat(found(ANCHOR, page)).isNotEmpty().doesNotHaveDuplicates();
    }

    void assertTablesAreEven() {
        int expected = 0;
        String before = "";
        for (String line : page.split("\n", -1)) {
            if (line.startsWith("|")) {
                int cells = line.split("(?<!\\\\)\\|", -1).length;
                expected = before.startsWith("|") ? expected : cells;
                assertThat(cells).as(line).isEqualTo(expected);
            }
            before = line;
        }
    }

    private static List<String> found(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(result -> result.group(1)).collect(Collectors.toList());
    }
}
