package io.capoa.lab.pods;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The token of a pod: its identity, and renewal. */
@Tag("full")
@ExtendWith(SharedNode.Resolver.class)
class IdentityTest {

    @TempDir
    private Path folder;

    @Test
    void aTokenIsRenewed_beforeItEnds_whereClientsLookForIt(SharedNode node) throws Exception {
        String namespace = node.namespace();
        Pod pod = node.admin()
                .resource(new PodBuilder()
                        .withNewMetadata()
                        .withName("holder")
                        .withNamespace(namespace)
                        .endMetadata()
                        .withNewSpec()
                        .withNodeName("elsewhere")
                        .withServiceAccountName("default")
                        .addNewContainer()
                        .withName("main")
                        .withImage("none")
                        .endContainer()
                        .endSpec()
                        .build())
                .create();
        AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
        try (Sources sources = new Sources(node.admin(), changed -> {})) {
            Identity identity = new Identity(node.admin(), sources, pod, folder, Duration.ofMinutes(10), now::get);
            Duration left = kept(identity);
            String first = Files.readString(folder.resolve("token"));
            // The client of a manager.
            Config client = new ConfigBuilder(
                            Config.fromKubeconfig(identity.kubeconfig().toFile()))
                    .withUserAgent("test")
                    .build();
            assertThat(left).isBetween(Duration.ofMinutes(7), Duration.ofMinutes(9));
            assertThat(client.getAutoOAuthToken()).isEqualTo(first);
            assertThat(client.getNamespace()).isEqualTo(namespace);

            now.set(now.get().plus(left).minusSeconds(1));
            assertThat(kept(identity)).isEqualTo(Duration.ofSeconds(1));
            assertThat(Files.readString(folder.resolve("token"))).isEqualTo(first);
            now.set(now.get().plusSeconds(1));
            assertThat(kept(identity)).as("until the next renewal").isGreaterThan(Duration.ofSeconds(1));
            // Tokens that are issued within a second are identical.
            await().until(() -> {
                now.set(now.get().plus(kept(identity)));
                var unused = kept(identity);
                return !Files.readString(folder.resolve("token")).equals(first);
            });

            String second = Files.readString(folder.resolve("token"));
            assertThat(client.refresh().getAutoOAuthToken()).isEqualTo(second);
            assertThat(Files.readString(identity.kubeconfig()))
                    .contains("tokenFile: \"" + folder.resolve("token") + "\"");
            assertThat(Files.readString(folder.resolve("namespace"))).isEqualTo(namespace);
            assertThat(Files.readString(folder.resolve("ca.crt"))).contains("BEGIN CERTIFICATE");
            assertThat(program(Map.of("CA", "$(API_SERVER_CA_FILE)", "TOKEN", "$(TOKEN_FILE)", "OTHER", "$(X)"))
                            .environmentAs(identity))
                    .containsExactlyInAnyOrderEntriesOf(Map.of(
                            "CA",
                            folder.resolve("ca.crt").toString(),
                            "TOKEN",
                            folder.resolve("token").toString(),
                            "OTHER",
                            "$(X)"));
        }
    }

    @Test
    void withoutAToken_aProgramGetsNoneOfItsPlaces(SharedNode node) {
        try (Sources sources = new Sources(node.admin(), changed -> {})) {
            Identity none =
                    new Identity(node.admin(), sources, new Pod(), folder, Duration.ofMinutes(10), Instant::now);

            assertThat(program(Map.of("SERVER", "$(API_SERVER)", "SET", "1")).environmentAs(none))
                    .containsExactly(Map.entry("SET", "1"));
        }
    }

    private static Program program(Map<String, String> environment) {
        return new Program("a/b", "b", List.of("true"), new TreeMap<>(environment), List.of(), List.of());
    }

    /** The default ServiceAccount is created shortly after its namespace. */
    private static Duration kept(Identity identity) {
        return await().atMost(SharedNode.SOON)
                .ignoreExceptionsInstanceOf(UnmetRequirement.class)
                .until(identity::keep, Objects::nonNull);
    }
}
