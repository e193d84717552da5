package io.capoa.lab.recorded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpHandlers;
import com.sun.net.httpserver.HttpServer;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.conditions.Condition;
import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.bootstrap.BootstrapProvider;
import io.capoa.controlplane.ControlPlaneProvider;
import io.capoa.lab.cluster.AuditEntry;
import io.capoa.lab.cluster.KnownUsers;
import io.capoa.lab.cluster.LocalCluster;
import io.capoa.lab.cluster.LocalClusterOnly;
import io.capoa.lab.cluster.PreparedClusters;
import io.capoa.lab.controller.Delays;
import io.capoa.lab.failure.Evidence;
import io.capoa.lab.manager.ManagerChild;
import io.capoa.lab.registry.ReleaseRegistry;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Both providers reach the recorded end when the recorded writes of real services are replayed in order. It runs last, when
 * no lab starts beside its managers and its many replays share what is free.
 */
@Tag("full")
@Tag("whole")
@Order(Order.DEFAULT + 1)
@Execution(ExecutionMode.CONCURRENT)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(LocalClusterOnly.class)
class ReplayTest {

    private static final Duration AT_REST = Duration.ofSeconds(30);
    private static final long CONFIG_WRITES = 10;
    private static final long CONTROL_PLANE_WRITES = 24;
    private static final Set<String> PROVIDERS =
            Set.of(KnownUsers.BOOTSTRAP_PROVIDER, KnownUsers.CONTROL_PLANE_PROVIDER);

    private final LocalCluster cluster = PreparedClusters.start();
    private final ReleaseRegistry registry = ReleaseRegistry.start(Delays.none());
    private final HttpServer media = ignitions();
    private final List<ManagerChild> providers = new ArrayList<>();

    /** Answers every request with a discovery ignition. */
    private static HttpServer ignitions() {
        HttpHandler ignition = HttpHandlers.of(
                200, Headers.of("Content-Type", "application/json"), "{\"ignition\":{\"version\":\"3.1.0\"}}");
        try {
            HttpServer server =
                    HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0, "/", ignition);
            server.start();
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @BeforeAll
    void start(@TempDir Path folder) throws Exception {
        Path conf = Files.writeString(folder.resolve("registries.conf"), registry.registriesConf());
        providers.add(ManagerChild.startProvider(
                BootstrapProvider.class,
                folder,
                cluster.kubeconfigOf(KnownUsers.BOOTSTRAP_PROVIDER),
                "--webhook-port=0"));
        providers.add(ManagerChild.startProvider(
                ControlPlaneProvider.class,
                folder,
                cluster.kubeconfigOf(KnownUsers.CONTROL_PLANE_PROVIDER),
                "--webhook-port=0",
                "--registries-conf=" + conf));
    }

    @AfterAll
    void stop() {
        providers.forEach(ManagerChild::close);
        media.stop(0);
        registry.close();
        cluster.close();
    }

    static Stream<Recording> healthy() {
        return Stream.of(
                        "real-single-node.log",
                        "real-live-iso-capm3.log",
                        "real-all-3cp-2workers-day2.log",
                        "real-edits-during-installation.log",
                        "real-deleted-during-installation.log")
                .map(Recording::load);
    }

    @ParameterizedTest
    @MethodSource("healthy")
    void aHealthyInstallation_endsAsRecorded_withoutAWarning_andWithFewWrites(Recording recording) throws Exception {
        Stage stage = stage(recording);
        Replay replay = replay(recording, stage, () -> {});

        replay.run();

        assertEnd(recording, replay, stage);
        assertThat(warnings(stage)).isEmpty();
        assertFewWrites(replay, stage);
    }

    /** The recorder polled every few seconds, so its number of writes is not comparable. */
    private void assertFewWrites(Replay replay, Stage stage) {
        assertThat(statusWrites(stage, "openshiftassistedconfigs"))
                .as("status writes of each config")
                .allSatisfy((config, writes) -> assertThat(writes).isLessThanOrEqualTo(CONFIG_WRITES));
        assertThat(statusWrites(stage, "openshiftassistedcontrolplanes"))
                .as("status writes of the control plane")
                .allSatisfy((plane, writes) -> assertThat(writes).isLessThanOrEqualTo(CONTROL_PLANE_WRITES));
        assertThat(writes(stage)
                        .filter(entry -> entry.resource().equals("agentclusterinstalls"))
                        .filter(entry -> !entry.verb().equals("delete"))
                        .filter(entry -> replay.rewritten()
                                .filter(entry.received()::isAfter)
                                .isPresent())
                        .map(AuditEntry::verb))
                .as("writes of the AgentClusterInstall after assisted-service has rewritten it without zero values")
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("failed")
    void aFailedInstallation_isReportedWithItsHost_andOnTheHostThatFailed(Recording recording) throws Exception {
        Stage stage = stage(recording);
        Replay replay = replay(recording, stage, () -> assertFailureIsNamed(stage, recording.cluster()));

        replay.run();

        assertEnd(recording, replay, stage);
        assertThat(warnings(stage))
                .filteredOn(event -> event.getInvolvedObject().getKind().equals("OpenshiftAssistedConfig"))
                .extracting(Event::getReason)
                .containsExactly("InstallationFailed");
        // Again when the host is known, if that comes later.
        assertThat(warnings(stage))
                .filteredOn(event -> event.getInvolvedObject().getKind().equals("OpenshiftAssistedControlPlane"))
                .hasSizeBetween(1, 2)
                .allSatisfy(event -> assertThat(event.getReason()).isEqualTo("InstallFailed"))
                .anySatisfy(event -> assertThat(event.getMessage())
                        .contains("; Machine ", "made to fail", "kubectl annotate oacp")
                        .doesNotContain("\n"));
    }

    static Stream<Recording> failed() {
        return Stream.of(Recording.load("real-failed-host-and-retry.log"));
    }

    private void assertFailureIsNamed(Stage stage, String controlPlane) {
        await().atMost(AT_REST).untilAsserted(() -> {
            Condition failed = conditions(stage.find(OpenshiftAssistedControlPlane.class, controlPlane))
                    .get("InstallSucceeding");
            assertThat(Objects.requireNonNull(failed).reason()).isEqualTo("InstallFailed");
            assertThat(failed.message())
                    .startsWith("The installation failed: cluster has hosts in error; Machine ")
                    .containsOnlyOnce("Machine")
                    .contains("made to fail", "To try again")
                    .doesNotContain("Delete the Machine", "\n");
        });
    }

    private void assertEnd(Recording recording, Replay replay, Stage stage) {
        await(recording.file()).atMost(AT_REST).untilAsserted(() -> {
            if (recording.endsDeleted()) {
                assertThat(stage.list(OpenshiftAssistedControlPlane.class)).isEmpty();
                assertThat(stage.list(OpenshiftAssistedConfig.class)).isEmpty();
                assertThat(stage.list(AgentClusterInstall.class)).isEmpty();
                return;
            }
            Map<String, Map<String, String>> ends = new TreeMap<>();
            recording.ends().forEach((object, conditions) -> {
                String kind = object.substring(0, object.indexOf(' '));
                String name = replay.nameOf(kind, object.substring(object.indexOf(' ') + 1));
                Map<String, Condition> now = conditions(
                        kind.equals("OACP")
                                ? stage.find(OpenshiftAssistedControlPlane.class, name)
                                : stage.find(OpenshiftAssistedConfig.class, name));
                Map<String, String> same = new TreeMap<>();
                conditions.keySet().forEach(type -> {
                    Condition condition = now.get(type);
                    same.put(type, condition == null ? "absent" : condition.status() + "/" + condition.reason());
                });
                ends.put(object, same);
            });
            assertThat(ends).isEqualTo(recording.ends());
        });
    }

    private Stage stage(Recording recording) {
        String namespace = recording.file().replace(".log", "");
        cluster.admin()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(namespace)
                        .endMetadata()
                        .build())
                .create();
        Evidence.namespace(cluster, namespace);
        return new Stage(cluster.admin(), namespace);
    }

    private Replay replay(Recording recording, Stage stage, Runnable beforeRetry) {
        RecordedManifests manifests = new RecordedManifests(recording.cluster());
        manifests.before().forEach(stage::create);
        String url = "http://127.0.0.1:" + media.getAddress().getPort();
        return new Replay(recording, stage, manifests, url, beforeRetry);
    }

    private static List<Event> warnings(Stage stage) {
        return stage.client().v1().events().inNamespace(stage.namespace()).list().getItems().stream()
                .filter(event -> "Warning".equals(event.getType()))
                .toList();
    }

    private Map<String, Long> statusWrites(Stage stage, String resource) {
        return writes(stage)
                .filter(entry ->
                        entry.subresource().equals("status") && entry.resource().equals(resource))
                .collect(Collectors.groupingBy(AuditEntry::name, TreeMap::new, Collectors.counting()));
    }

    private Stream<AuditEntry> writes(Stage stage) {
        var log = cluster.auditLog().orElseThrow();
        return log.since(log.start()).stream()
                .filter(entry -> PROVIDERS.contains(entry.user())
                        && entry.namespace().equals(stage.namespace())
                        && entry.isWrite());
    }

    private static Map<String, Condition> conditions(@Nullable HasMetadata object) {
        List<Condition> conditions = null;
        if (object instanceof OpenshiftAssistedControlPlane plane && plane.getStatus() != null) {
            conditions = plane.getStatus().conditions();
        } else if (object instanceof OpenshiftAssistedConfig config && config.getStatus() != null) {
            conditions = config.getStatus().conditions();
        }
        Map<String, Condition> byType = new TreeMap<>();
        if (conditions != null) {
            conditions.forEach(condition -> byType.put(condition.type(), condition));
        }
        return byType;
    }
}
