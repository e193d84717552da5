package io.capoa.lab.dist;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.lab.cluster.ProjectRoot;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Classes and tests that the documents name exist, {@code docs/README.md} names every document, decisions have one form. */
class DocumentedClassesTest {

    /** Upper camel case between backticks: a class, or a term of an API, such as a condition type. */
    private static final Pattern NAME = Pattern.compile("`([A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*)`");

    /** Title, status with date, and sections of a decision; its number and its title are groups. */
    private static final Pattern DECISION =
            Pattern.compile("# (\\d{4})\\. (.+)\n\nAccepted, \\d{4}-\\d{2}-\\d{2}\\..*\n" + section("Context")
                    + section("Decision") + "(" + section("Alternatives") + ")?" + section("Consequences"));

    /** A test between backticks, with its package or its end, with a method or the beginning of its name: class, method, "…". */
    private static final Pattern TEST = Pattern.compile("`(?:[a-z0-9]+\\.)*([A-Z]\\w*Test)(?:\\.([a-z]\\w*)(…?))?`");

    private static final Set<String> NO_SOURCES = Set.of("target", ".git");

    /** Fewer would mean that the walk through the code is gone, or that this test no longer finds it. */
    private static final int LEAST_CLASSES = 40;

    @Test
    void everyClassInTheArchitecture_hasASourceFile() throws IOException {
        Path root = ProjectRoot.find();
        List<Path> sources = sources(root, "src/main/java/");
        Set<String> classes = new HashSet<>();
        Set<String> terms = new HashSet<>();
        for (Path source : sources) {
            String file = source.getFileName().toString();
            classes.add(file.substring(0, file.length() - ".java".length()));
            Pattern.compile("\"([A-Z][A-Za-z0-9]*)\"")
                    .matcher(Files.readString(source))
                    .results()
                    .forEach(literal -> terms.add(literal.group(1)));
        }
        Set<String> documented = new TreeSet<>();
        NAME.matcher(Files.readString(root.resolve("docs/architecture.md")))
                .results()
                .forEach(name -> documented.add(name.group(1)));

        assertThat(documented).hasSizeGreaterThan(LEAST_CLASSES);
        assertThat(documented)
                .as("names in docs/architecture.md that are neither a class nor a constant of an API")
                .allMatch(name -> classes.contains(name) || terms.contains(name));
    }

    @Test
    void everyTestInTheDocuments_exists() throws IOException {
        Path root = ProjectRoot.find();
        Map<String, String> tests = new HashMap<>();
        for (Path source : sources(root, "src/test/java/")) {
            String file = source.getFileName().toString();
            tests.merge(file.substring(0, file.length() - ".java".length()), Files.readString(source), String::concat);
        }
        Set<String> named = new TreeSet<>();
        Set<String> unknown = new TreeSet<>();
        for (String document : documents(root.resolve("docs"))) {
            TEST.matcher(Files.readString(root.resolve("docs").resolve(document)))
                    .results()
                    .forEach(name -> {
                        named.add(name.group(1));
                        if (!isThere(tests.get(name.group(1)), name)) {
                            unknown.add(document + ": " + name.group());
                        }
                    });
        }

        assertThat(named).hasSizeGreaterThan(200);
        assertThat(unknown)
                .as("tests that the documents name and that do not exist")
                .isEmpty();
    }

    private static boolean isThere(@Nullable String source, MatchResult name) {
        return source != null
                && (name.group(2) == null
                        || source.contains(" " + name.group(2) + (name.group(3).isEmpty() ? "(" : "")));
    }

    @Test
    void everyDecision_hasTheForm_andIsInTheList() throws IOException {
        Path folder = ProjectRoot.find().resolve("docs/adr");
        List<String> listed = Files.readAllLines(folder.resolve("README.md")).stream()
                .filter(line -> line.matches("\\| \\d{4} \\| \\[.*"))
                .toList();
        List<String> expected = new ArrayList<>();
        for (String file : documents(folder)) {
            Matcher decision = DECISION.matcher(Files.readString(folder.resolve(file)));
            assertThat(decision.matches())
                    .as("docs/adr/%s has the form that docs/adr/README.md describes", file)
                    .isTrue();
            assertThat(file).startsWith(decision.group(1) + "-");
            expected.add("| %s | [%s](%s) |".formatted(decision.group(1), decision.group(2), file));
        }
        assertThat(listed).hasSizeGreaterThan(20).isEqualTo(expected);
    }

    @Test
    void everyDocument_isOnceInTheFirstPage() throws IOException {
        Path folder = ProjectRoot.find().resolve("docs");
        String page = Files.readString(folder.resolve("README.md"));
        assertThat(documents(folder))
                .hasSizeGreaterThan(20)
                .allSatisfy(document -> assertThat(page).containsOnlyOnce("(" + document + ")"));
    }

    /** Maven takes a source without a class for a new one, and compiles its module in every build. */
    @Test
    void everySource_declaresAType() throws IOException {
        Path root = ProjectRoot.find();
        List<Path> sources = sources(root, "src/main/java/");
        sources.addAll(sources(root, "src/test/java/"));
        sources.removeIf(source -> source.endsWith("package-info.java"));

        assertThat(sources)
                .hasSizeGreaterThan(1000)
                .allSatisfy(
                        source -> assertThat(source).content().containsPattern("(class|record|interface|enum) \\w"));
    }

    private static String section(String name) {
        return "\n## " + name + "\n\n(?s:(?!\n## ).)+";
    }

    /** The names of the Markdown files of a folder but for its first page, sorted. */
    private static List<String> documents(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(".md") && !name.equals("README.md"))
                    .sorted()
                    .toList();
        }
    }

    private static List<Path> sources(Path root, String folder) throws IOException {
        List<Path> sources = new ArrayList<>();
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path entered, BasicFileAttributes attributes) {
                return NO_SOURCES.contains(entered.getFileName().toString())
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (file.toString().contains(folder) && file.toString().endsWith(".java")) {
                    sources.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return sources;
    }
}
