package io.capoa.lab.dist;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.lab.cluster.ProjectRoot;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code .dockerignore} excludes everything but what the image builds need. */
class ImageContextTest {

    private static final Pattern MODULE = Pattern.compile("<module>(.+)</module>");

    /** Maven reads the POMs of all modules, also of those that it does not build. */
    @Test
    void theBuildContext_hasThePomOfEveryModule() throws IOException {
        Path root = ProjectRoot.find();
        List<PathMatcher> included;
        try (Stream<String> lines = Files.lines(root.resolve(".dockerignore"))) {
            included = lines.filter(line -> line.startsWith("!"))
                    .map(line -> FileSystems.getDefault().getPathMatcher("glob:" + line.substring(1)))
                    .toList();
        }

        List<Path> poms = poms(root, Path.of("")).map(Path::normalize).toList();

        assertThat(poms).contains(Path.of("pom.xml"), Path.of("lab", "app", "pom.xml"));
        assertThat(poms).allMatch(pom -> included.stream().anyMatch(pattern -> pattern.matches(pom)));
    }

    private static Stream<Path> poms(Path root, Path module) throws IOException {
        Path pom = module.resolve("pom.xml");
        Stream.Builder<Path> poms = Stream.builder();
        poms.add(pom);
        for (var child :
                MODULE.matcher(Files.readString(root.resolve(pom))).results().toList()) {
            poms(root, module.resolve(child.group(1))).forEach(poms);
        }
        return poms.build();
    }
}
