package io.capoa.controlplane.integration;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.capoa.api.conditions.Condition;
import io.capoa.api.contract.Machine;
import io.capoa.lab.certificates.SelfSigned;
import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import io.capoa.lab.controller.Delays;
import io.capoa.lab.hostile.Bombs;
import io.capoa.lab.hostile.HostileServer;
import io.capoa.lab.registry.ReleaseRegistry;
import io.capoa.lab.registry.SyntheticImage;
import io.capoa.lab.registry.SyntheticImage.Entry;
import io.capoa.lab.registry.SyntheticRelease;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Malicious registries, token services and API servers against a manager with its shipped limits: it survives, each
 * cluster's condition reports its server's violation, and other clusters continue.
 */
@Tag("full")
@ExtendWith(SharedCluster.class)
class HostileServersTest {

    private static final Duration SOON = Duration.ofSeconds(100);
    private static final String JSON = "Content-Type: application/json";

    private final Map<String, String> registries = new LinkedHashMap<>();

    /** Behaviour of a registry by the first part of the path, and the expected message. */
    private void registries(HostileServer server) {
        layer(server, "longname", Bombs.longName(), "an entry whose header is larger than 131072 bytes");
        layer(server, "paxvalue", Bombs.paxValue(), "an entry whose header is larger than 131072 bytes");
        layer(server, "paxkeyword", Bombs.paxKeyword(), "an entry whose header is larger than 131072 bytes");
        layer(server, "sparsemap", Bombs.sparseMap(), "an entry whose header is larger than 131072 bytes");
        layer(server, "largefile", Bombs.largeFile(), "it unpacks to more than 200 times its size");
        registry(server, "endless", HostileServer.endless(), "its answer is larger than 256 KiB");
        registry(server, "line", HostileServer.endlessLine(), "it sends a line without an end");
        registry(server, "trickle", HostileServer.trickle(), "not to the end within 60 s");
        registry(server, "redirects", HostileServer.redirects(), "it redirects more than 5 times");
        byte[] packed = Bombs.gzip("{\"layers\":\"".getBytes(UTF_8), new byte[] {'x'}, 900);
        registry(
                server, "gzip", HostileServer.body(packed, JSON, "Content-Encoding: gzip"), "it compresses its answer");
        token(server, "token", HostileServer.endless(), "its answer is larger than 64 KiB");
    }

    private void registry(HostileServer server, String name, HostileServer.Answer answer, String message) {
        server.on("/" + name + "/", answer);
        registries.put(name, message);
    }

    private void token(HostileServer server, String name, HostileServer.Answer answer, String message) {
        String challenge = "WWW-Authenticate: Bearer realm=\"%s/give-%s\",service=\"s\"".formatted(server.url(), name);
        registry(server, name, HostileServer.status("401 Unauthorized", challenge), message);
        server.on("/give-" + name, answer);
    }

    private void layer(HostileServer server, String name, byte[] layer, String message) {
        byte[] manifest = "{\"schemaVersion\":2,\"layers\":[{\"digest\":\"%s\",\"size\":%d}]}"
                .formatted(Bombs.digest(layer), layer.length)
                .getBytes(UTF_8);
        registry(server, name, HostileServer.body(manifest, JSON), message);
        server.on("/" + name + "/ocp-release/blobs/", HostileServer.body(layer));
    }

    @Test
    void theManagerSurvives_reportsWhatEachServerDoes_andInstallsTheOthers(TestCluster cluster) throws Exception {
        SelfSigned authority = SelfSigned.create("hostile");
        try (HostileServer registry = new HostileServer(null);
                HostileServer api = new HostileServer(authority.serverContext());
                ReleaseRegistry honest = ReleaseRegistry.start(Delays.none())) {
            registries(registry);
            Map<String, HostileServer.Answer> apis = apis();
            Map<String, ControlPlanePeers> users = new LinkedHashMap<>();
            ControlPlanePeers tenant = tenant(cluster);
            Stream.of(registries.keySet(), apis.keySet(), Set.of("version"))
                    .flatMap(Set::stream)
                    .forEach(name -> users.put(name, user(tenant, name)));
            ControlPlanePeers other = user(tenant(cluster), "honest");
            longVersion(honest);
            List<String> namespaces = List.of(tenant.namespace, other.namespace);
            try (ControlPlaneProcess manager =
                    ControlPlaneProcess.start(cluster, namespaces, honest.registriesConf())) {
                registries.keySet().forEach(name -> from(users.get(name), registry.address() + "/" + name));
                from(users.get("version"), honest.address() + "/long-version");
                apis.keySet().forEach(name -> users.get(name).controlPlane());
                apis.forEach((name, answer) -> {
                    api.on("/" + name + "/", answer);
                    installed(users.get(name), kubeconfig(api.url() + "/" + name, authority));
                });

                registries.forEach(
                        (name, message) -> awaitMessage(manager, users.get(name), "ReleaseResolved", message));
                awaitMessage(manager, users.get("version"), "ReleaseResolved", "which is no version");
                awaitMessage(manager, users.get("api-gzip"), "MachinesCreated", "it compresses its answer");
                awaitMessage(manager, users.get("api-endless"), "MachinesCreated", "its answer is larger than 1 MiB");
                awaitMessage(manager, users.get("api-line"), "MachinesCreated", "it sends a line without an end");
                awaitMessage(manager, users.get("api-trickle"), "MachinesCreated", "does not answer");
                awaitMessage(manager, users.get("api-redirects"), "MachinesCreated", "it answered 302");

                other.controlPlane();
                await("the honest one")
                        .atMost(SOON)
                        .until(() -> other.machines().size() == 3 && other.install() != null);
                assertThat(manager.lives()).as(manager.log()).isTrue();
                assertThat(manager.log()).doesNotContain("OutOfMemory", "\tat io.capoa");
            }
        }
    }

    private static Map<String, HostileServer.Answer> apis() {
        Map<String, HostileServer.Answer> apis = new LinkedHashMap<>();
        byte[] packed = Bombs.gzip("{\"a\":\"".getBytes(UTF_8), new byte[] {'x'}, 400);
        apis.put("api-gzip", HostileServer.body(packed, JSON, "Content-Encoding: gzip"));
        apis.put("api-endless", HostileServer.endless());
        apis.put("api-line", HostileServer.endlessLine());
        apis.put("api-trickle", HostileServer.trickle());
        apis.put("api-redirects", HostileServer.redirects());
        return apis;
    }

    private static void awaitMessage(ControlPlaneProcess manager, ControlPlanePeers user, String type, String message) {
        await("a condition with \"" + message + "\"")
                .atMost(SOON)
                .pollInterval(Duration.ofMillis(100))
                .untilAsserted(() -> {
                    assertThat(manager.lives()).as(manager.log()).isTrue();
                    assertThat(ControlPlaneScene.message(user, type))
                            .as("%s of %s", type, ControlPlaneScene.status(user))
                            .contains(message);
                });
    }

    private static ControlPlanePeers tenant(TestCluster cluster) {
        ControlPlanePeers tenant = new ControlPlanePeers(cluster);
        tenant.pullSecret();
        return tenant;
    }

    private static ControlPlanePeers user(ControlPlanePeers tenant, String name) {
        ControlPlanePeers user = tenant.beside(name);
        user.template();
        return user;
    }

    /** A control plane with mirrors to a repository. */
    private static void from(ControlPlanePeers user, String location) {
        String conf = """
            [[registry]]
            prefix = "quay.io/openshift-release-dev"
            location = "%s"
            insecure = true
            """.formatted(location);
        user.client
                .resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withNamespace(user.namespace)
                        .withName(user.name + "-mirrors")
                        .endMetadata()
                        .addToData("registries.conf", conf)
                        .build())
                .create();
        user.controlPlane("spec: {config: {imageRegistryRef: {name: %s-mirrors}}}".formatted(user.name));
    }

    private static void longVersion(ReleaseRegistry registry) {
        String references = SyntheticRelease.imageReferences("4.20.3" + "0".repeat(300_000));
        SyntheticImage image =
                SyntheticImage.of("amd64", List.of(List.of(Entry.file(SyntheticRelease.IMAGE_REFERENCES, references))));
        registry.put("long-version/ocp-release", "4.20.3-x86_64", image);
    }

    /** An installed control plane that scales up, for which the manager queries etcd. */
    private static void installed(ControlPlanePeers user, String kubeconfig) {
        eventually(() -> user.machines().size() == 3
                && ControlPlaneScene.condition(user, "InstallSucceeding")
                        .map(Condition::reason)
                        .filter("WaitingForHosts"::equals)
                        .isPresent());
        user.publishKubeconfig(kubeconfig);
        user.installState("installed");
        user.complete();
        user.installState("adding-hosts");
        List<Machine> machines = new ArrayList<>(user.machines());
        for (Machine machine : machines) {
            String name = machine.getMetadata().getName();
            user.status(machine, "{\"status\":{\"nodeRef\":{\"name\":\"%s\"}}}".formatted(name));
            user.ready(machine, true);
        }
        // Until then, more replicas would be installed with the others, and etcd not be asked.
        eventually(() -> ControlPlaneScene.condition(user, "InstallSucceeding")
                .map(Condition::reason)
                .filter("InstallCompleted"::equals)
                .isPresent());
        user.edit("spec: {replicas: 5}");
    }

    private static void eventually(Callable<Boolean> condition) {
        await().atMost(SOON).pollInterval(Duration.ofMillis(100)).until(condition);
    }

    private static String kubeconfig(String server, SelfSigned authority) {
        try {
            return """
                apiVersion: v1
                kind: Config
                clusters: [{name: c, cluster: {server: "%s", certificate-authority-data: %s}}]
                users: [{name: u, user: {token: t}}]
                contexts: [{name: x, context: {cluster: c, user: u}}]
                current-context: x
                """.formatted(
                    server, Base64.getEncoder().encodeToString(authority.pem().getBytes(UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
