package io.capoa.controlplane.mirror;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** Mirror registry manifests of the installed cluster. */
class MirrorManifestsTest {

    private static final String ONE = """
            [[registry]]
            location = "quay.io/releases"
            [[registry.mirror]]
            location = "mirror.lab:5000/releases"
            """;

    @Test
    void aMirror_servesDigests_andItsCertificateIsTrusted() {
        assertThat(manifests(ONE, "CA"))
                .isEqualTo(Map.of(
                        "image-digest-mirror-set.json",
                        digestMirrors("{\"mirrors\":[\"mirror.lab:5000/releases\"],\"source\":\"quay.io/releases\"}"),
                        "additional-registry-certificate.json",
                        "{\"apiVersion\":\"v1\",\"data\":{\"ca-bundle.crt\":\"CA\",\"mirror.lab..5000\":\"CA\",\"quay.io\":\"CA\"},"
                                + "\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"additional-registry-certificate\",\"namespace\":\"openshift-config\"}}",
                        "image-config.json",
                        image("{\"additionalTrustedCA\":{\"name\":\"additional-registry-certificate\"}}")));
    }

    @Test
    void withoutACertificate_onlyTheMirrorSetIsWritten() {
        assertThat(manifests(ONE, "")).containsOnlyKeys("image-digest-mirror-set.json");
    }

    @Test
    void anInsecureMirror_isListedAsInsecure() {
        assertThat(manifests(ONE + "insecure = true\n", ""))
                .containsEntry(
                        "image-config.json",
                        image("{\"registrySources\":{\"insecureRegistries\":[\"mirror.lab:5000/releases\"]}}"));
        assertThat(manifests("[[registry]]\nlocation = \"old.lab\"\ninsecure = true\n", ""))
                .isEqualTo(Map.of(
                        "image-config.json", image("{\"registrySources\":{\"insecureRegistries\":[\"old.lab\"]}}")));
    }

    @Test
    void aTagMirror_isInATagMirrorSet_aMirrorForAllInBoth() {
        assertThat(manifests(ONE + "pull-from-mirror = \"tag-only\"\n", ""))
                .isEqualTo(Map.of(
                        "image-tag-mirror-set.json",
                        tagMirrors("{\"mirrors\":[\"mirror.lab:5000/releases\"],\"source\":\"quay.io/releases\"}")));
        assertThat(manifests(ONE + "pull-from-mirror = \"digest-only\"\n", ""))
                .containsOnlyKeys("image-digest-mirror-set.json");
        assertThat(manifests(ONE + "pull-from-mirror = \"all\"\n", ""))
                .containsOnlyKeys("image-digest-mirror-set.json", "image-tag-mirror-set.json");
    }

    @Test
    void withMirrorByDigestOnly_mirrorsServeNoTags() {
        String conf = ONE.replace("[[registry.mirror]]", "mirror-by-digest-only = true\n[[registry.mirror]]")
                + "pull-from-mirror = \"all\"\n";
        assertThat(manifests(conf, "")).containsOnlyKeys("image-digest-mirror-set.json");
    }

    @Test
    void severalMirrors_keepTheirOrder() {
        String conf = ONE + "[[registry.mirror]]\nlocation = \"b.lab\"\n[[registry.mirror]]\nlocation = \"a.lab\"\n";
        assertThat(manifests(conf, "").get("image-digest-mirror-set.json"))
                .contains("\"mirrors\":[\"mirror.lab:5000/releases\",\"b.lab\",\"a.lab\"]");
    }

    @Test
    void aPrefixWithAnotherLocation_isTheSource_andTheLocationTheLastMirror() {
        String conf = """
                [[registry]]
                prefix = "registry.example.com/ocp"
                location = "far.lab/ocp"
                [[registry.mirror]]
                location = "near.lab/ocp"
                """;
        assertThat(manifests(conf, ""))
                .containsEntry(
                        "image-digest-mirror-set.json",
                        digestMirrors(
                                "{\"mirrorSourcePolicy\":\"NeverContactSource\",\"mirrors\":[\"near.lab/ocp\",\"far.lab/ocp\"],"
                                        + "\"source\":\"registry.example.com/ocp\"}"))
                .containsEntry(
                        "image-tag-mirror-set.json",
                        tagMirrors("{\"mirrorSourcePolicy\":\"NeverContactSource\",\"mirrors\":[\"far.lab/ocp\"],"
                                + "\"source\":\"registry.example.com/ocp\"}"));
    }

    @Test
    void aBlockedRegistry_isReachedOnlyThroughItsMirrors_orNotAtAll() {
        assertThat(manifests(ONE.replace("[[registry.mirror]]", "blocked = true\n[[registry.mirror]]"), ""))
                .isEqualTo(Map.of(
                        "image-digest-mirror-set.json",
                        digestMirrors(
                                "{\"mirrorSourcePolicy\":\"NeverContactSource\",\"mirrors\":[\"mirror.lab:5000/releases\"],"
                                        + "\"source\":\"quay.io/releases\"}")));
        assertThat(manifests("[[registry]]\nlocation = \"bad.lab\"\nblocked = true\n", ""))
                .isEqualTo(Map.of(
                        "image-config.json", image("{\"registrySources\":{\"blockedRegistries\":[\"bad.lab\"]}}")));
    }

    private static Map<String, String> manifests(String conf, String caBundle) {
        return MirrorManifests.of(new MirrorRegistry(RegistriesConf.parse(conf), caBundle));
    }

    private static String digestMirrors(String entry) {
        return mirrors("ImageDigestMirrorSet", "imageDigestMirrors", entry);
    }

    private static String tagMirrors(String entry) {
        return mirrors("ImageTagMirrorSet", "imageTagMirrors", entry);
    }

    private static String mirrors(String kind, String field, String entry) {
        return "{\"apiVersion\":\"config.openshift.io/v1\",\"kind\":\"%s\",\"metadata\":{\"name\":\"additional-registry\"},\"spec\":{\"%s\":[%s]}}"
                .formatted(kind, field, entry);
    }

    private static String image(String spec) {
        return "{\"apiVersion\":\"config.openshift.io/v1\",\"kind\":\"Image\",\"metadata\":{\"name\":\"cluster\"},\"spec\":%s}"
                .formatted(spec);
    }
}
