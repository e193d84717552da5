package io.capoa.lab.dist;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.lab.cluster.ProjectRoot;
import io.capoa.lab.clusterctl.Output;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code config/release-notes} in a temporary repository. */
class ReleaseNotesTest {

    @TempDir
    private Path repository;

    @BeforeEach
    void aReleasedRepository() throws IOException {
        Path root = ProjectRoot.find();
        for (String file :
                List.of("config/release-notes", "docs/upgrade-notes.md", "docs/versions.md", ".ci/subjects-since")) {
            Files.createDirectories(repository.resolve(file).getParent());
            Files.copy(root.resolve(file), repository.resolve(file));
        }
        git("init", "--quiet");
        git("add", ".");
        commit("api: released before");
        git("tag", "v0.2.0");
    }

    @Test
    void commitsSinceTheReleaseBefore_areGroupedByPart_inTheirOrder() {
        commit("lab: show the racks");
        commit("api: name the machines");
        commit("lab: stop in order");
        commit("A subject without a part");
        git("tag", "v0.2.1");

        Output notes = notes("v0.2.1");

        assertThat(notes.code()).as(notes.messages()).isZero();
        String changes = notes.text().substring(notes.text().indexOf("## Changes since"));
        assertThat(changes.replaceAll("\\([0-9a-f]{7,}\\)", "(commit)")).isEqualTo("""
                ## Changes since v0.2.0

                ### api

                - name the machines (commit)

                ### lab

                - show the racks (commit)
                - stop in order (commit)
                """);
    }

    @Test
    void theNotesBeginWithTheUpgradeAndTheVersions_withoutRelativeLinks() {
        Output notes = notes("v0.2.1");

        assertThat(notes.text())
                .startsWith("# v0.2.1\n\n## Upgrade\n\nThe first series of this project.")
                .contains("\n## Versions\n\n| component | supported |", "\n### Installed clusters\n")
                .doesNotContain(".md)", "](");
    }

    @Test
    void aSeriesWithoutUpgradeNotes_isRefused() {
        Output notes = notes("v0.9.0");

        assertThat(notes.code()).isEqualTo(2);
        assertThat(notes.messages())
                .isEqualTo(
                        "docs/upgrade-notes.md has no section \"## 0.9\": write what users of an older release have to"
                                + " do.\n");
    }

    @Test
    void aReleaseBeforeThatIsNotInTheHistory_isRefused() {
        Output notes = notes("v0.2.1", "--since", "v0.1.99");

        assertThat(notes.code()).isEqualTo(2);
        assertThat(notes.messages())
                .isEqualTo("v0.1.99 is not a commit of this checkout: fetch its history and its tags.\n");
    }

    private void commit(String subject) {
        git("commit", "--quiet", "--allow-empty", "-m", subject);
    }

    private void git(String... arguments) {
        Stream<String> identity = Stream.of("-c", "user.name=Test", "-c", "user.email=test@example.com");
        Output.of(
                        Stream.of(Stream.of("git", "-C", repository.toString()), identity, Stream.of(arguments))
                                .flatMap(words -> words)
                                .toList(),
                        Map.of(),
                        Duration.ofSeconds(30))
                .orThrow();
    }

    private Output notes(String... arguments) {
        return Output.of(
                Stream.concat(
                                Stream.of(repository
                                        .resolve("config/release-notes")
                                        .toString()),
                                Stream.of(arguments))
                        .toList(),
                Map.of(),
                Duration.ofSeconds(30));
    }
}
