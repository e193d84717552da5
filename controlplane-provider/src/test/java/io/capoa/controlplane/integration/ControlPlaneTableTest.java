package io.capoa.controlplane.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.conditions.Condition;
import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.Machine;
import io.capoa.api.controlplane.v1beta1.ControlPlaneConditions;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.controlplane.install.ResolvedRelease;
import io.capoa.controlplane.observe.ControlPlaneObservation;
import io.capoa.controlplane.observe.ControlPlaneObservations;
import io.capoa.controlplane.operation.Operation;
import io.capoa.controlplane.status.RecordedEvents;
import io.capoa.controlplane.status.StatusReport;
import io.capoa.controlplane.status.StepResults;
import io.capoa.controlplane.steps.install.InstallStep;
import io.capoa.controlplane.steps.install.KubeconfigStep;
import io.capoa.controlplane.steps.install.PlanStep;
import io.capoa.controlplane.steps.install.ReleaseState;
import io.capoa.controlplane.steps.machines.OperationStep;
import io.capoa.controlplane.testing.Objects;
import io.capoa.controlplane.upgrade.ClusterUpgradeState;
import io.capoa.controlplane.upgrade.ClusterUpgrades;
import io.capoa.controlplane.upgrade.RequestedKubernetes;
import io.capoa.controlplane.upgrade.TargetImage;
import io.capoa.controlplane.upgrade.UpgradeConsent;
import io.capoa.controlplane.upgrade.UpgradeDecision;
import io.capoa.controlplane.upgrade.UpgradeOutcome;
import io.capoa.controlplane.upgrade.UpgradePlanner;
import io.capoa.controlplane.upgrade.UpgradeRequest;
import io.capoa.controlplane.workload.client.Observed;
import io.capoa.controlplane.workload.health.ControlPlaneHealth;
import io.capoa.controlplane.workload.health.ControlPlaneHealths;
import io.capoa.controlplane.workload.health.HealthJudgement;
import io.capoa.controlplane.workload.health.NodeHealth;
import io.capoa.lab.cluster.ProjectRoot;
import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import io.capoa.lab.table.DocumentBlock;
import io.capoa.lab.table.KubectlTable;
import io.capoa.runtime.assisted.ValidationGrace.Verdict;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What {@code kubectl get oacp} prints of control planes in the states that people ask about: {@code docs/tables.md}. */
@ExtendWith(SharedCluster.class)
@Execution(ExecutionMode.CONCURRENT)
class ControlPlaneTableTest {

    private static final Path DOCUMENT = Path.of("docs", "tables.md");
    private static final Path DESCRIBED = Path.of("docs", "describe.md");

    /** The objects of each state, for the live view of the lab. */
    private static final Path STATES =
            ProjectRoot.find().resolve("controlplane-provider/src/test/resources/io/capoa/controlplane/states");

    private static final Clock CLOCK = Clock.fixed(Instant.parse("2026-01-01T00:00:00Z"), ZoneOffset.UTC);
    private static final int TERMINAL = 120;

    private static final ResolvedRelease RELEASE =
            new ResolvedRelease("r:4.20.3", "r@sha256:3", "1.33.5", "4.20.3", "");

    private static final UpgradeOutcome AT_REST =
            new UpgradeOutcome(new UpgradeDecision.AtRest(), ClusterUpgrades.AT_4_20_3);

    /**
     * A control plane of three.
     *
     * @param spec more fields, in flow style
     * @param install status of its AgentClusterInstall, in flow style
     * @param configs condition Ready of each host, as {@code reason: message}; Ready if empty
     * @param notReady Machines that are not Ready
     */
    private record State(
            String name,
            String wanted,
            String spec,
            String install,
            List<String> configs,
            int notReady,
            @Nullable UpgradeOutcome upgrade,
            ControlPlaneHealth health) {

        static State installing(String name, String spec, String install, String... configs) {
            return new State(name, "4.20.3", spec, install, List.of(configs), 3, null, ControlPlaneHealths.healthy());
        }

        static State installed(
                String name, String wanted, int notReady, UpgradeOutcome upgrade, ControlPlaneHealth health) {
            return new State(
                    name,
                    wanted,
                    "",
                    "debugInfo: {state: adding-hosts}, conditions: [{type: Completed, status: 'True'}]",
                    List.of("", "", ""),
                    notReady,
                    upgrade,
                    health);
        }

        boolean isInstalled() {
            return upgrade != null;
        }
    }

    private static final String WAITING = "debugInfo: {state: insufficient}";
    private static final String GOOD = "";
    private static final String SAME_NAME =
            "AgentValidationFailed: Host master-0 fails validations of assisted-service: hostname-unique: Hostname master-0"
                    + " is not unique in cluster. What to do: let DHCP give the host another name";

    private static List<State> states() {
        return List.of(
                State.installing("waiting", "", WAITING, GOOD, GOOD, "WaitingForAgent: No host has reported"),
                State.installing("installing", "", "debugInfo: {state: installing}", GOOD, GOOD, GOOD),
                State.installed("healthy", "4.20.3", 0, AT_REST, ControlPlaneHealths.healthy()),
                State.installing(
                        "no-free-host",
                        "",
                        WAITING,
                        GOOD,
                        GOOD,
                        "NoHostAvailable: Metal3Machine n-2 has no BareMetalHost: no available host found. Free or add one"
                                + " that it selects, see kubectl get baremetalhosts -n ns"),
                State.installing("duplicate-name", "", WAITING, SAME_NAME, SAME_NAME, GOOD),
                State.installing(
                        "wrong-disk",
                        "",
                        WAITING,
                        "InstallationDiskNotFound: Host master-0: There is no disk with deviceName=/dev/sda, only /dev/vda"
                                + " (120 GB): correct spec.rootDeviceHints of BareMetalHost ns/host-0",
                        GOOD,
                        GOOD),
                State.installing("on-hold", "holdInstallation: true", "debugInfo: {state: ready}", GOOD, GOOD, GOOD),
                State.installing(
                        "failed-host",
                        "",
                        "debugInfo: {state: error}, conditions: [{type: Failed, status: 'True', message: 'The installation failed: cluster has hosts in error'}]",
                        "InstallationFailed: Host master-0 failed at stage Writing image to disk",
                        "ClusterInstallationFailed: Host master-1: the installation of its cluster has failed",
                        "ClusterInstallationFailed: Host master-2: the installation of its cluster has failed"),
                State.installed("refused-upgrade", "4.20.9", 0, refused("4.20.9"), ControlPlaneHealths.healthy()),
                State.installed("upgrading", "4.20.5", 0, upgrading(), ControlPlaneHealths.healthy()),
                State.installed(
                        "dead-master",
                        "4.20.3",
                        1,
                        AT_REST,
                        ControlPlaneHealths.withNodes(
                                new NodeHealth("n-2", false, "Kubelet stopped posting node status."))));
    }

    private static UpgradeOutcome refused(String release) {
        UpgradeRequest request = new UpgradeRequest(
                release, null, null, RequestedKubernetes.NONE, new TargetImage.Resolving(), UpgradeConsent.NONE);
        return new UpgradeOutcome(UpgradePlanner.next(request, ClusterUpgrades.AT_4_20_3), ClusterUpgrades.AT_4_20_3);
    }

    private static UpgradeOutcome upgrading() {
        ClusterUpgradeState moving = ClusterUpgrades.state("""
            status:
              desired: {version: 4.20.5}
              history: [{state: Partial, version: 4.20.5}, {state: Completed, version: 4.20.3}]
              conditions: [{type: Progressing, status: "True", message: "Working towards 4.20.5: 260 of 863 done (30% complete)"}]
            """);
        return new UpgradeOutcome(
                new UpgradeDecision.Moving(new UpgradeOutcome(new UpgradeDecision.AtRest(), moving)
                        .progress()
                        .orElseThrow()),
                moving);
    }

    @Test
    void theTables_areThoseOfTheDocument_andTheDefaultOneFitsATerminal(TestCluster cluster) throws IOException {
        String namespace = "tables-" + UUID.randomUUID().toString().substring(0, 8);
        cluster.admin()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(namespace)
                        .endMetadata()
                        .build())
                .create();
        List<List<String>> events = new ArrayList<>();
        List<List<String>> described =
                new ArrayList<>(List.of(List.of("CONTROL PLANE", "STATUS", "REASON", "MESSAGE")));
        for (State state : states()) {
            OpenshiftAssistedControlPlane made = controlPlane(state);
            made.getMetadata().setNamespace(namespace);
            OpenshiftAssistedControlPlane created =
                    cluster.admin().resource(made).create();
            created.setStatus(new StatusReport(CLOCK).of(results(state)));
            cluster.admin().resource(created).updateStatus();
            described.add(described(created));
            made.setStatus(created.getStatus());
            assertThat(objects(state, made))
                    .as(DocumentBlock.REWRITE)
                    .isEqualTo(committed(state, objects(state, made)));
            RecordedEvents.of(created.getStatus())
                    .forEach(event -> events.add(List.of(
                            event.warning() ? "Warning" : "Normal",
                            event.reason(),
                            "openshiftassistedcontrolplane/" + state.name(),
                            event.note())));
        }

        String table = table(cluster, namespace, false);
        String wide = table(cluster, namespace, true);

        assertThat(table).as(DocumentBlock.REWRITE).isEqualTo(new DocumentBlock(DOCUMENT, "oacp").committed(table));
        assertThat(wide).as(DocumentBlock.REWRITE).isEqualTo(new DocumentBlock(DOCUMENT, "oacp-wide").committed(wide));
        String listed = KubectlTable.ofEvents(events);
        assertThat(listed)
                .as(DocumentBlock.REWRITE)
                .isEqualTo(new DocumentBlock(DOCUMENT, "oacp-events").committed(listed));
        String lines = KubectlTable.aligned(described);
        assertThat(lines)
                .as(DocumentBlock.REWRITE)
                .isEqualTo(new DocumentBlock(DESCRIBED, "control-planes").committed(lines));
        assertThat(table.lines()).hasSize(states().size() + 1).allMatch(line -> line.length() <= TERMINAL);
    }

    /** What {@code clusterctl describe} prints of a control plane: its condition Available. */
    private static List<String> described(OpenshiftAssistedControlPlane controlPlane) {
        Condition available = controlPlane.getStatus().conditions().stream()
                .filter(condition -> condition.type().equals(ControlPlaneConditions.AVAILABLE))
                .findFirst()
                .orElseThrow();
        return List.of(
                controlPlane.getMetadata().getName(), available.status(), available.reason(), available.message());
    }

    /** The control plane with its AgentClusterInstall, in YAML. */
    private static String objects(State state, OpenshiftAssistedControlPlane controlPlane) {
        controlPlane.getMetadata().setNamespace("ns");
        return Stream.of(controlPlane, install(state))
                .map(new KubernetesSerialization()::asYaml)
                .collect(Collectors.joining());
    }

    private static String committed(State state, String yaml) throws IOException {
        Path file = STATES.resolve(state.name() + ".yaml");
        if ("write".equals(System.getProperty("capoa.golden"))) {
            Files.createDirectories(STATES);
            Files.writeString(file, yaml);
        }
        return Files.readString(file);
    }

    private static List<Machine> machines(State state) {
        return IntStream.range(0, state.configs().size())
                .mapToObj(i -> machine("n-" + i, i >= state.configs().size() - state.notReady(), state))
                .toList();
    }

    private static String table(TestCluster cluster, String namespace, boolean wide) throws IOException {
        return KubectlTable.of(cluster.admin(), OpenshiftAssistedControlPlane.class, namespace, wide);
    }

    private static StepResults results(State state) {
        ControlPlaneIdentity identity = new ControlPlaneIdentity(controlPlane(state), state.name());
        List<OpenshiftAssistedConfig> configs = new ArrayList<>();
        for (int i = 0; i < state.configs().size(); i++) {
            configs.add(config("n-" + i, state.configs().get(i)));
        }
        ControlPlaneObservation observation =
                ControlPlaneObservations.of(identity, null, install(state), null, machines(state), configs);
        return new StepResults(
                observation,
                PlanStep.Planned.NONE,
                new ReleaseState.Resolved(RELEASE),
                new InstallStep.Progress.Applied(List.of()),
                new StepResults.Machines(OperationStep.Outcome.none(new Operation.None()), false),
                state.isInstalled()
                        ? new KubeconfigStep.Access.Available(null, false)
                        : new KubeconfigStep.Access.NotYet(),
                new StepResults.Answers(
                        state.isInstalled(),
                        state.upgrade(),
                        null,
                        state.isInstalled()
                                ? new HealthJudgement(new Observed<>(state.health(), Instant.now()), null)
                                : HealthJudgement.NONE,
                        Optional.empty()),
                Verdict.PASSING);
    }

    private static OpenshiftAssistedControlPlane controlPlane(State state) {
        return Objects.read(OpenshiftAssistedControlPlane.class, """
                metadata:
                  name: %1$s
                  generation: 1
                  labels: {cluster.x-k8s.io/cluster-name: %1$s}
                spec:
                  distributionVersion: %2$s
                  replicas: 3
                  machineTemplate:
                    spec:
                      infrastructureRef:
                        apiGroup: infrastructure.cluster.x-k8s.io
                        kind: Metal3MachineTemplate
                        name: hosts
                  config: {baseDomain: lab.example%3$s}
                """.formatted(
                        state.name(), state.wanted(), state.spec().isEmpty() ? "" : ", " + state.spec()));
    }

    private static AgentClusterInstall install(State state) {
        return Objects.read(AgentClusterInstall.class, """
                metadata: {name: %s}
                spec: {provisionRequirements: {controlPlaneAgents: 3}}
                status: {%s}
                """.formatted(state.name(), state.install()));
    }

    private static Machine machine(String name, boolean notReady, State state) {
        String ready = notReady
                ? "{type: Ready, status: 'False', reason: NotReady, message: '* NodeHealthy: Node %s is unreachable'}"
                        .formatted(name)
                : "{type: Ready, status: 'True', reason: Ready}, {type: Available, status: 'True', reason: Available}";
        String node =
                state.isInstalled() ? "nodeRef: {name: %s}, nodeInfo: {kubeletVersion: v1.33.5}, ".formatted(name) : "";
        return Objects.read(
                Machine.class,
                "metadata: {name: %1$s, uid: u-%1$s}\nstatus: {%2$sconditions: [%3$s]}".formatted(name, node, ready));
    }

    private static OpenshiftAssistedConfig config(String name, String says) {
        String[] parts = says.split(": ", 2);
        boolean registered = !says.startsWith("Waiting") && !says.startsWith("NoHost");
        String ready = says.isEmpty()
                ? "{type: Ready, status: 'True', reason: Ready, message: '', lastTransitionTime: '2026-01-01T00:00:00Z'}"
                : """
                  {type: %3$s, status: 'False', reason: %1$s, message: '%2$s', lastTransitionTime: '2026-01-01T00:00:00Z'}, \
                  {type: Ready, status: 'False', reason: %1$s, message: '%2$s', lastTransitionTime: '2026-01-01T00:00:00Z'}\
                  """.formatted(parts[0], parts[1], registered ? "Installed" : "AgentApproved");
        return Objects.read(OpenshiftAssistedConfig.class, """
                metadata: {name: %1$s, ownerReferences: [{kind: Machine, name: %1$s}]}
                spec: {}
                status:
                  conditions:
                  - {type: AgentRegistered, status: '%2$s', reason: R, message: '', lastTransitionTime: '2026-01-01T00:00:00Z'}
                  - %3$s
                """.formatted(
                        name,
                        registered ? "True" : "False",
                        ready.replace("}, {", "}\n  - {").strip()));
    }
}
