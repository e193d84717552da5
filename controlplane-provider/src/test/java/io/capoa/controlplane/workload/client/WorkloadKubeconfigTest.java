package io.capoa.controlplane.workload.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Base64;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A kubeconfig that a tenant wrote is read for its data alone, and cannot fill the memory. */
class WorkloadKubeconfigTest {

    private static final String GOOD = """
        clusters: [{name: c, cluster: {server: "https://api:6443", certificate-authority-data: QQ==}}]
        users: [{name: u, user: {token: secret, exec: {command: rm}, tokenFile: /etc/shadow}}]
        contexts: [{name: x, context: {cluster: c, user: u}}]
        current-context: x
        """;

    private static String encoded(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
    }

    @Test
    void theCurrentContext_says_whereAndWho() {
        WorkloadKubeconfig kubeconfig = WorkloadKubeconfig.parse(encoded(GOOD));
        assertThat(kubeconfig).isEqualTo(new WorkloadKubeconfig("https://api:6443", "QQ==", null, null, "secret"));
        assertThat(kubeconfig.toString()).doesNotContain("secret");
    }

    static Stream<String> unusable() {
        StringBuilder aliases = new StringBuilder("a0: &a0 [x, x, x]\n");
        for (int i = 1; i < 17; i++) {
            aliases.append("a%d: &a%d [*a%d, *a%d, *a%d]%n".formatted(i, i, i - 1, i - 1, i - 1));
        }
        return Stream.of(
                "",
                "x",
                "[".repeat(100_000),
                "x: [" + "1, ".repeat(200_000) + "1]",
                aliases.toString(),
                GOOD.replace("https", "http"),
                GOOD.replace("current-context: x", "current-context: y"),
                GOOD.replace("users:", "others:"),
                "contexts: [null]\nclusters: 5\ncurrent-context: x");
    }

    @ParameterizedTest
    @MethodSource("unusable")
    void oneThatCannotBeUsed_isAMessageWithoutItsContent(String text) {
        assertThatThrownBy(() -> WorkloadKubeconfig.parse(encoded(text)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("the kubeconfig")
                .hasMessageNotContaining("secret");
    }
}
