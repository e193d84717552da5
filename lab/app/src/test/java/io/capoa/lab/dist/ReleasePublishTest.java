package io.capoa.lab.dist;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.lab.cluster.ProjectRoot;
import io.capoa.lab.clusterctl.Output;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code .ci/release-publish} with stand-ins for skopeo, cosign and gh. */
class ReleasePublishTest {

    /** Notes its arguments; skopeo's digest of an image goes to the file after --digestfile. */
    private static final String PROGRAM = """
            #!/usr/bin/env bash
            echo "$(basename "$0") $*" >>"$CALLS"
            if [ "$2 $3" = "--all --digestfile" ]; then echo "sha256:1234" >"$4"; fi
            """;

    private static final Duration LIMIT = Duration.ofSeconds(30);

    @TempDir
    private Path folder;

    private Path calls;

    @BeforeEach
    void aTaggedCheckout_andABuiltPage() throws IOException {
        calls = Files.createFile(folder.resolve("calls"));
        for (String program : List.of("skopeo", "cosign", "gh")) {
            Path file = Files.createDirectories(folder.resolve("bin")).resolve(program);
            Files.writeString(file, PROGRAM);
            var unused = Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        Path checkout = Files.createDirectories(folder.resolve("checkout/.ci"));
        for (String script : List.of("lib.sh", "release-publish")) {
            Files.copy(ProjectRoot.find().resolve(".ci").resolve(script), checkout.resolve(script));
        }
        Files.writeString(folder.resolve("checkout/CHANGELOG.md"), "## [0.2.0] - 2026-12-01\n");
        shell("git init -q checkout && cd checkout && git add . && git -c user.name=Test -c user.email=test@example.com"
                + " commit -q -m 'ci: release' && git tag v0.2.0");
        shell(
                "mkdir checkout/page && cd checkout/page && touch metadata.yaml release-notes.md && sha256sum * >../SHA256SUMS && mv"
                        + " ../SHA256SUMS .");
    }

    @Test
    void images_arePushedUnderTheirTag_andSignedByTheirDigest() throws IOException {
        Output output = publish("images", "v0.2.0");

        assertThat(output.code()).as(output.all()).isZero();
        assertThat(called())
                .containsExactly(
                        "cosign login ghcr.io --username someone --password-stdin",
                        "skopeo copy --all --digestfile page/bootstrap-provider.digest"
                                + " oci-archive:page/bootstrap-provider-v0.2.0.oci.tar"
                                + " docker://ghcr.io/example/capoa/bootstrap-provider:v0.2.0",
                        "cosign sign --yes --recursive ghcr.io/example/capoa/bootstrap-provider@sha256:1234",
                        "cosign attest --yes --type cyclonedx --predicate page/bootstrap-provider.cdx.json"
                                + " ghcr.io/example/capoa/bootstrap-provider@sha256:1234",
                        "skopeo copy --all --digestfile page/controlplane-provider.digest"
                                + " oci-archive:page/controlplane-provider-v0.2.0.oci.tar"
                                + " docker://ghcr.io/example/capoa/controlplane-provider:v0.2.0",
                        "cosign sign --yes --recursive ghcr.io/example/capoa/controlplane-provider@sha256:1234",
                        "cosign attest --yes --type cyclonedx --predicate page/controlplane-provider.cdx.json"
                                + " ghcr.io/example/capoa/controlplane-provider@sha256:1234",
                        "skopeo copy --all --digestfile page/page.digest oci-archive:page/page-v0.2.0.oci.tar"
                                + " docker://ghcr.io/example/capoa/page:v0.2.0",
                        "cosign sign --yes --recursive ghcr.io/example/capoa/page@sha256:1234",
                        "cosign attest --yes --type cyclonedx --predicate page/page.cdx.json"
                                + " ghcr.io/example/capoa/page@sha256:1234");
        assertThat(folder.resolve("outputs")).hasContent("""
                bootstrap-image=ghcr.io/example/capoa/bootstrap-provider
                bootstrap-digest=sha256:1234
                controlplane-image=ghcr.io/example/capoa/controlplane-provider
                controlplane-digest=sha256:1234
                page-image=ghcr.io/example/capoa/page
                page-digest=sha256:1234
                """);
        assertThat(folder.resolve("checkout/page")).isDirectoryNotContaining("glob:**.digest");
    }

    @Test
    void thePage_isADraft_withItsFilesButTheNotes() throws IOException {
        Output output = publish("page", "v0.2.0");

        assertThat(output.code()).as(output.all()).isZero();
        assertThat(called())
                .containsExactly(
                        "cosign sign-blob --yes --bundle page/SHA256SUMS.sigstore.json page/SHA256SUMS",
                        "gh release create v0.2.0 --draft --verify-tag --title v0.2.0 --notes-file"
                                + " page/release-notes.md page/SHA256SUMS page/metadata.yaml");
    }

    @Test
    void aDryRun_callsNothing() throws IOException {
        Output output = publish("--dry-run", "images", "v0.2.0");

        assertThat(output.code()).as(output.all()).isZero();
        assertThat(output.text()).contains("would run: cosign sign ").doesNotContain("would fail");
        assertThat(called()).isEmpty();
    }

    @Test
    void anotherCommitThanTheTagged_aChangedFile_andAVersionThatTheChangelogLacks_areRefused() throws IOException {
        assertThat(publish("images", "v0.2.1").messages())
                .isEqualTo("release-publish: CHANGELOG.md has no section [0.2.1]: name what users notice.\n");
        Files.writeString(folder.resolve("checkout/page/metadata.yaml"), "changed");
        assertThat(publish("page", "v0.2.0").messages()).contains("are not those of its SHA256SUMS");
        shell(
                "cd checkout && git -c user.name=Test -c user.email=test@example.com commit -q --allow-empty -m 'ci: more'");
        assertThat(publish("images", "v0.2.0").messages())
                .isEqualTo("release-publish: the commit that is checked out has no tag v0.2.0.\n");
        assertThat(called()).isEmpty();
    }

    private List<String> called() throws IOException {
        return Files.readAllLines(calls);
    }

    private Output publish(String... arguments) {
        return Output.of(
                Stream.concat(
                                Stream.of(folder.resolve("checkout/.ci/release-publish")
                                        .toString()),
                                Stream.concat(Stream.of(arguments), Stream.of("page")))
                        .toList(),
                Map.of(
                        "PATH",
                        folder.resolve("bin") + ":" + System.getenv("PATH"),
                        "CALLS",
                        calls.toString(),
                        "CAPOA_REGISTRY",
                        "ghcr.io/Example/capoa",
                        "GITHUB_ACTOR",
                        "someone",
                        "GITHUB_TOKEN",
                        "token",
                        "GITHUB_OUTPUT",
                        folder.resolve("outputs").toString()),
                LIMIT);
    }

    private void shell(String command) {
        Output.of(List.of("bash", "-c", "cd \"$0\" && " + command, folder.toString()), Map.of(), LIMIT)
                .orThrow();
    }
}
