package io.capoa.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@Tag("full")
@ExtendWith(SharedCluster.class)
class AuditLogTest {

    private static final String EVENT = "{\"kind\":\"Event\",\"apiVersion\":\"audit.k8s.io/v1\",";

    private static final String LINE = """
        {"user":{"username":"%s"},"verb":"%s","requestURI":"/x","objectRef":{"apiGroup":"metal3.io",\
        "resource":"baremetalhosts","subresource":"status","namespace":"n","name":"h"},\
        "responseStatus":{"code":200},"requestReceivedTimestamp":"2026-11-21T01:02:03.000004Z",\
        "stageTimestamp":"2026-11-21T01:02:03.500000Z"}
        """;

    @TempDir
    private Path folder;

    @Test
    void whenAUserWritesAndReads_countsExactlyThat(TestCluster cluster) {
        assumeTrue(cluster.auditLog().isPresent(), "needs a cluster whose audit log can be read");
        AuditLog log = cluster.auditLog().orElseThrow();
        String user = cluster.userName(KnownUsers.BOOTSTRAP_PROVIDER);
        new ManifestRoles(cluster).bind("edit", KnownUsers.BOOTSTRAP_PROVIDER);
        try (KubernetesClient client = cluster.clientOf(KnownUsers.BOOTSTRAP_PROVIDER)) {
            ConfigMap map = new ConfigMapBuilder()
                    .withNewMetadata()
                    .withGenerateName("counted-")
                    .withNamespace("default")
                    .endMetadata()
                    .build();
            // The API server learns of the binding by a watch.
            await().ignoreExceptionsInstanceOf(KubernetesClientException.class)
                    .until(() -> client.configMaps().inNamespace("default").list() != null);
            AuditLog.Mark before = log.mark();

            ConfigMap created = client.resource(map).create();
            client.resource(created).get();
            client.resource(created).delete();

            assertThat(log.since(before).stream().filter(entry -> entry.user().equals(user)))
                    .extracting(AuditEntry::verb, AuditEntry::resource, AuditEntry::namespace, AuditEntry::code)
                    .containsExactly(
                            tuple("create", "configmaps", "default", 201),
                            tuple("get", "configmaps", "default", 200),
                            tuple("delete", "configmaps", "default", 200));
            assertThat(log.writesByUser(before)).containsEntry(user, 2L);
            assertThat(log.writesByUser(log.mark())).doesNotContainKey(user);
        }
    }

    @Test
    void whenALineIsHalfWritten_itIsReadOnceItIsWhole() throws IOException {
        AuditLog log = new AuditLog(folder.resolve("audit.log"));
        String first = LINE.formatted("a", "get");
        String second = LINE.formatted("b", "patch");
        Files.writeString(log.file(), first + second.substring(0, 40));
        List<String> users = new ArrayList<>();

        AuditLog.Mark mark = log.read(log.start(), entry -> users.add(entry.user()));
        assertThat(log.mark()).isEqualTo(mark);
        assertThat(users).containsExactly("a");

        Files.writeString(log.file(), second.substring(40), StandardOpenOption.APPEND);
        log.read(mark, entry -> users.add(entry.user()));
        assertThat(users).containsExactly("a", "b");
        assertThat(log.since(mark)).singleElement().satisfies(entry -> {
            assertThat(entry.isWrite()).isTrue();
            assertThat(entry.resource() + "/" + entry.subresource()).isEqualTo("baremetalhosts/status");
            assertThat(entry.time()).isAfter(entry.received());
        });
    }

    @Test
    void anEventThatAKillCutOff_isSkipped_andTheNextOneIsRead() throws IOException {
        AuditLog log = new AuditLog(folder.resolve("audit.log"));
        Files.writeString(
                log.file(),
                EVENT
                        + LINE.formatted("a", "get").substring(1, 40)
                        + EVENT
                        + LINE.formatted("b", "patch").substring(1));

        assertThat(log.since(log.start())).extracting(AuditEntry::user).containsExactly("b");
    }

    @Test
    void linesWithoutTheText_areSkipped_andCountForTheMark() throws IOException {
        AuditLog log = new AuditLog(folder.resolve("audit.log"));
        String longest = LINE.formatted("a".repeat(100_000), "get");
        Files.writeString(
                log.file(), longest + LINE.formatted("b", "patch") + "not JSON\n" + LINE.formatted("b", "get"));

        assertThat(log.since(log.start(), "\"b\"")).extracting(AuditEntry::verb).containsExactly("patch", "get");
        assertThat(log.since(log.start(), "absent")).isEmpty();
        assertThat(log.read(log.start(), "absent", entry -> {})).isEqualTo(log.mark());
    }

    @Test
    void whenThereIsNoLogYet_nothingHasHappened() {
        AuditLog log = new AuditLog(folder.resolve("absent.log"));

        assertThat(log.since(log.mark())).isEmpty();
    }

    @Test
    void anEntry_namesThePodToWhichTheTokenIsBound() throws IOException {
        AuditLog log = new AuditLog(folder.resolve("audit.log"));
        String bound = "\"username\":\"a\",\"extra\":{\"authentication.kubernetes.io/pod-name\":[\"p-1\"]}";
        Files.writeString(
                log.file(),
                LINE.formatted("a", "get").replace("\"username\":\"a\"", bound) + LINE.formatted("b", "get"));

        assertThat(log.since(log.start())).extracting(AuditEntry::pod).containsExactly("p-1", "");
    }
}
