package io.capoa.lab.dist;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.lab.cluster.ProjectRoot;
import io.capoa.lab.clusterctl.Output;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code .ci/release} in a clone, with stand-ins for the scripts that build and publish. */
class ReleaseCommandTest {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    @TempDir
    private Path clone;

    @BeforeEach
    void aClone() throws IOException {
        Path scripts = Files.createDirectories(clone.resolve(".ci"));
        for (String script : List.of("lib.sh", "release")) {
            Files.copy(ProjectRoot.find().resolve(".ci").resolve(script), scripts.resolve(script));
        }
        for (String script : List.of("release-build", "release-publish")) {
            Files.writeString(scripts.resolve(script), """
                    #!/usr/bin/env bash
                    echo "$(basename "$0") $* from ${CAPOA_SOURCE:-nowhere} to ${CAPOA_REGISTRY:-nowhere}"
                    """);
            var unused = Files.setPosixFilePermissions(
                    scripts.resolve(script), PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        git("init", "-q");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://github.com/example/capoa",
                "https://github.com/example/capoa.git",
                "git@github.com:example/capoa.git",
                "ssh://git@github.com/example/capoa"
            })
    void aCloneFromGithub_givesThePageItsAddress(String origin) throws IOException {
        git("remote", "add", "origin", origin);
        String where = " from https://github.com/example/capoa to ghcr.io/example/capoa";
        String folder = clone.toRealPath() + "/dist/release-page/v0.2.0";

        Output output = release(Map.of());

        assertThat(output.code()).as(output.all()).isZero();
        assertThat(output.text().lines())
                .containsExactly(
                        "release-build v0.2.0 --out " + folder + where,
                        "release-publish --dry-run images v0.2.0 " + folder + where,
                        "release-publish --dry-run page v0.2.0 " + folder + where);
    }

    @Test
    void whatTheEnvironmentNames_isTaken() {
        git("remote", "add", "origin", "https://github.com/example/capoa");

        assertThat(release(Map.of("CAPOA_SOURCE", "https://example.com/capoa", "CAPOA_REGISTRY", "registry/capoa"))
                        .text())
                .contains("from https://example.com/capoa to registry/capoa")
                .doesNotContain("github");
    }

    @Test
    void anotherClone_saysWhatThePageLacks() {
        git("remote", "add", "origin", "/srv/git/capoa");

        assertThat(release(Map.of()).text())
                .contains(
                        "would fail: origin is no repository on GitHub and CAPOA_SOURCE names none",
                        "from nowhere to nowhere");
    }

    private Output release(Map<String, String> environment) {
        Map<String, String> all = new HashMap<>(Map.of("CAPOA_SOURCE", "", "CAPOA_REGISTRY", ""));
        all.putAll(environment);
        return Output.of(List.of(clone.resolve(".ci/release").toString(), "--dry-run", "v0.2.0"), all, LIMIT);
    }

    private void git(String... arguments) {
        List<String> command = new ArrayList<>(List.of("git", "-C", clone.toString()));
        command.addAll(List.of(arguments));
        Output.of(command, Map.of(), LIMIT).orThrow();
    }
}
