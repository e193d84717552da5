package io.capoa.controlplane.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.capoa.api.rules.ImageReference;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PullSecretTest {

    private static final ImageReference IMAGE = ImageReference.parse("quay.io/org/name:1");

    private static PullSecret secret(String auths) {
        return PullSecret.parse(("{\"auths\":{" + auths + "}}").getBytes(StandardCharsets.UTF_8));
    }

    private static String auth(String login) {
        return Base64.getEncoder().encodeToString(login.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void readsEveryShapeOfCredentials() throws Exception {
        assertThat(secret("\"quay.io\":{\"auth\":\"%s\"}".formatted(auth("u:p:q")))
                        .credentials(IMAGE))
                .isEqualTo(new RegistryCredentials.Basic("u", "p:q"));
        assertThat(secret("\"quay.io\":{\"username\":\"u\",\"password\":\"p\"}").credentials(IMAGE))
                .isEqualTo(new RegistryCredentials.Basic("u", "p"));
        assertThat(secret("\"quay.io\":{\"auth\":\"%s\",\"identitytoken\":\"t\"}".formatted(auth("u:")))
                        .credentials(IMAGE))
                .isEqualTo(new RegistryCredentials.IdentityToken("t"));
        assertThat(secret("\"quay.io\":{\"registrytoken\":\"t\"}").credentials(IMAGE))
                .isEqualTo(new RegistryCredentials.RegistryToken("t"));
        assertThat(secret("\"quay.io\":{\"auth\":\"%s\"}".formatted(auth("<token>:t")))
                        .credentials(IMAGE))
                .isEqualTo(new RegistryCredentials.IdentityToken("t"));
    }

    @Test
    void theLongestKeyThatLeadsToTheRepositoryCounts() throws Exception {
        PullSecret secret = secret("""
            "quay.io":{"username":"registry","password":"p"},
            "quay.io/org":{"username":"org","password":"p"},
            "quay.io/organization":{"username":"other","password":"p"}
            """);
        assertThat(secret.credentials(IMAGE)).isEqualTo(new RegistryCredentials.Basic("org", "p"));
        assertThat(secret.credentials(ImageReference.parse("quay.io/x/y:1")))
                .isEqualTo(new RegistryCredentials.Basic("registry", "p"));
        assertThat(secret.credentials(ImageReference.parse("ghcr.io/org/name:1")))
                .isEqualTo(new RegistryCredentials.Anonymous());
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://index.docker.io/v1/", "index.docker.io", "docker.io", "registry-1.docker.io"})
    void everyNameOfTheDockerRegistryCounts(String key) throws Exception {
        PullSecret secret = secret("\"%s\":{\"username\":\"u\",\"password\":\"p\"}".formatted(key));
        assertThat(secret.credentials(ImageReference.parse("busybox")))
                .isEqualTo(new RegistryCredentials.Basic("u", "p"));
    }

    @Test
    void whenAnEntryCannotBeRead_namesKeyAndRegistryButNoValueAndSparesTheOthers() throws Exception {
        PullSecret secret = secret(
                "\"quay.io\":{\"auth\":\"c2VjcmV0\"},\"ghcr.io\":{\"auth\":\"***\"},\"x.io\":{\"username\":\"u\",\"password\":\"p\"}");
        assertThatThrownBy(() -> secret.credentials(IMAGE))
                .hasMessageContaining(".dockerconfigjson")
                .hasMessageContaining("quay.io")
                .hasMessageNotContaining("c2VjcmV0");
        assertThatThrownBy(() -> secret.credentials(ImageReference.parse("ghcr.io/a/b:1")))
                .hasMessageContaining("not base64");
        assertThat(secret.credentials(ImageReference.parse("x.io/a/b:1")))
                .isEqualTo(new RegistryCredentials.Basic("u", "p"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\"x.io\":{}",
                "\"x.io\":{\"username\":\"u\",\"password\":\"secret\"}",
                "\"x.io\":{\"auth\":7}",
                "\"x.io\":{\"auth\":\"***\"}",
                "\"x.io\":{\"auth\":\"c2VjcmV0\"}",
                "\"x.io\":{\"identitytoken\":\"secret\"}"
            })
    void assistedServiceRefusesASecretForEachEntryThatItCannotRead(String entries) {
        assertThat(secret(entries).refusal())
                .hasValueSatisfying(why -> assertThat(why)
                        .contains(entries.isEmpty() ? "has no entry" : "x.io", ".dockerconfigjson")
                        .doesNotContain("secret", "c2VjcmV0"));
    }

    @Test
    void assistedServiceTakesAnEmptyUserAndAPasswordWithColons() {
        assertThat(secret("\"quay.io\":{\"auth\":\"%s\"},\"x.io\":{\"auth\":\"%s\"}"
                                .formatted(auth(":p"), auth("u:p:q")))
                        .refusal())
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "[]", "{\"auth\":{}}", "secret"})
    void whenTheSecretCannotBeRead_saysSoWithoutQuotingIt(String text) {
        PullSecret secret = PullSecret.parse(text.getBytes(StandardCharsets.UTF_8));
        assertThat(secret.problem())
                .hasValueSatisfying(
                        p -> assertThat(p).contains(".dockerconfigjson").doesNotContain("secret"));
    }

    @Test
    void printsNoSecret() {
        assertThat(secret("\"quay.io\":{\"username\":\"u\",\"password\":\"hidden\"}"))
                .asString()
                .doesNotContain("hidden");
        assertThat(new RegistryCredentials.Basic("u", "hidden").toString()).doesNotContain("hidden");
        assertThat(new RegistryCredentials.IdentityToken("hidden").toString()).doesNotContain("hidden");
    }
}
