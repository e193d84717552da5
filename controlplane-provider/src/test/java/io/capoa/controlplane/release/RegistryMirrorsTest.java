package io.capoa.controlplane.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.capoa.api.rules.ImageReference;
import java.util.List;
import org.junit.jupiter.api.Test;

class RegistryMirrorsTest {

    private static final String DIGEST = "sha256:" + "a".repeat(64);

    private static List<String> sources(String conf, String image) {
        return RegistryMirrors.parse(conf).sources(ImageReference.parse(image)).stream()
                .map(s -> s.image() + (s.insecure() ? " insecure" : ""))
                .toList();
    }

    @Test
    void withoutARuleTheRegistryItselfIsAsked() {
        assertThat(sources("", "quay.io/a/b:1")).containsExactly("quay.io/a/b:1");
        assertThat(sources("[[registry]]\nlocation=\"quay.io/a\"", "quay.io/ab/c:1"))
                .containsExactly("quay.io/ab/c:1");
    }

    @Test
    void mirrorsComeFirstInTheirOrderThenTheRegistry() {
        String conf = """
                [[registry]]
                location = "quay.io/a"
                [[registry.mirror]]
                location = "one.lan:5000/x"
                insecure = true
                [[registry.mirror]]
                location = "two.lan"
                """;
        assertThat(sources(conf, "quay.io/a/b:1"))
                .containsExactly("one.lan:5000/x/b:1 insecure", "two.lan/b:1", "quay.io/a/b:1");
    }

    @Test
    void theLongestPrefixCounts() {
        String conf = """
                [[registry]]
                prefix = "quay.io"
                location = "all.lan"
                [[registry]]
                prefix = "quay.io/a/b"
                location = "b.lan/z"
                [[registry]]
                prefix = "*.example.com"
                [[registry.mirror]]
                location = "wild.lan"
                """;
        assertThat(sources(conf, "quay.io/a/b:1")).containsExactly("b.lan/z:1");
        assertThat(sources(conf, "quay.io/a/c:1")).containsExactly("all.lan/a/c:1");
        assertThat(sources(conf, "x.example.com/c:1")).containsExactly("wild.lan/c:1", "x.example.com/c:1");
    }

    @Test
    void aBarePrefixIsNotTheSameHostOnAnotherPort() {
        assertThat(sources("[[registry]]\nprefix=\"m.lan\"\nlocation=\"x.lan\"", "m.lan:5000/c:1"))
                .containsExactly("m.lan:5000/c:1");
    }

    @Test
    void aMirrorMayServeTagsOrDigestsAlone() {
        String conf = """
                [[registry]]
                location = "quay.io"
                [[registry.mirror]]
                location = "tags.lan"
                pull-from-mirror = "tag-only"
                [[registry.mirror]]
                location = "digests.lan"
                pull-from-mirror = "digest-only"
                [[registry]]
                location = "ghcr.io"
                mirror-by-digest-only = true
                [[registry.mirror]]
                location = "m.lan"
                """;
        assertThat(sources(conf, "quay.io/a:1")).containsExactly("tags.lan/a:1", "quay.io/a:1");
        assertThat(sources(conf, "quay.io/a@" + DIGEST))
                .containsExactly("digests.lan/a@" + DIGEST, "quay.io/a@" + DIGEST);
        assertThat(sources(conf, "ghcr.io/a:1")).containsExactly("ghcr.io/a:1");
        assertThat(sources(conf, "ghcr.io/a@" + DIGEST)).containsExactly("m.lan/a@" + DIGEST, "ghcr.io/a@" + DIGEST);
    }

    @Test
    void aBlockedRegistryIsNotAsked() {
        assertThat(sources("[[registry]]\nlocation=\"quay.io\"\nblocked=true", "quay.io/a:1"))
                .isEmpty();
    }

    @Test
    void theMirrorsOfABlockedRegistry_areAskedAlone() {
        assertThat(sources(
                        "[[registry]]\nlocation=\"quay.io\"\nblocked=true\n[[registry.mirror]]\nlocation=\"m.lan\"",
                        "quay.io/a:1"))
                .containsExactly("m.lan/a:1");
    }

    @Test
    void whatAClusterSays_comesBeforeWhatTheManagerSays() {
        RegistryMirrors cluster =
                RegistryMirrors.parse("[[registry]]\nlocation=\"quay.io\"\n[[registry.mirror]]\nlocation=\"own.lan\"");
        RegistryMirrors manager = RegistryMirrors.parse(
                "[[registry]]\nlocation=\"quay.io/a\"\n[[registry.mirror]]\nlocation=\"all.lan\"\n"
                        + "[[registry]]\nlocation=\"ghcr.io\"\n[[registry.mirror]]\nlocation=\"all.lan\"");
        RegistryMirrors both = cluster.over(manager);
        assertThat(both.sources(ImageReference.parse("quay.io/a/b:1")))
                .extracting(s -> s.image().toString())
                .containsExactly("own.lan/a/b:1", "quay.io/a/b:1");
        assertThat(both.sources(ImageReference.parse("ghcr.io/a:1")))
                .extracting(s -> s.image().toString())
                .containsExactly("all.lan/a:1", "ghcr.io/a:1");
        assertThat(both.fingerprint()).isNotEqualTo(cluster.fingerprint()).isNotEqualTo(manager.fingerprint());
    }

    @Test
    void certificatesOfClusterAndManager_areTrustedTogether() {
        RegistryAccess own = new RegistryAccess(RegistryMirrors.none(), "A");
        assertThat(own.over(new RegistryAccess(RegistryMirrors.none(), "B")).caBundle())
                .isEqualTo("A\nB");
        assertThat(own.over(RegistryAccess.direct()).fingerprint()).isEqualTo(own.fingerprint());
        assertThat(RegistryAccess.direct().over(own).caBundle()).isEqualTo("A");
    }

    @Test
    void whenTheFileCannotBeUsed_saysWhere() {
        assertThatThrownBy(() -> RegistryMirrors.parse("[[registry]\n"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("registries.conf is not TOML");
        assertThatThrownBy(() -> RegistryMirrors.parse("[[registry]]\nblocked=true"))
                .hasMessageContaining("needs \"location\"");
        assertThatThrownBy(() ->
                        RegistryMirrors.parse("[[registry]]\nlocation=\"quay.io\"\n[[registry.mirror]]\ninsecure=true"))
                .hasMessageContaining("[[registry.mirror]] of \"quay.io\"");
    }
}
