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
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** {@code docs/architecture.md} names classes that exist. */
class DocumentedClassesTest {

    /** Upper camel case between backticks: a class, or a term of an API, such as a condition type. */
    private static final Pattern NAME = Pattern.compile("`([A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*)`");

    private static final Set<String> NOT_PRODUCTION = Set.of("target", ".git", "test");

    /** Fewer would mean that the walk through the code is gone, or that this test no longer finds it. */
    private static final int LEAST_CLASSES = 40;

    @Test
    void everyClassInTheArchitecture_hasASourceFile() throws IOException {
        Path root = ProjectRoot.find();
        List<Path> sources = sources(root);
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

    private static List<Path> sources(Path root) throws IOException {
        List<Path> sources = new ArrayList<>();
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                return NOT_PRODUCTION.contains(folder.getFileName().toString())
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (file.toString().contains("src/main/java/")
                        && file.toString().endsWith(".java")) {
                    sources.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return sources;
    }
}
