package io.capoa.lab.whole;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.Annotations;
import io.capoa.api.Labels;
import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.BareMetalHostView;
import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.ConditionView;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import io.capoa.api.contract.MachineDeployment;
import io.capoa.api.contract.MachineHealthCheck;
import io.capoa.lab.endurance.EnduranceReport;
import io.capoa.lab.endurance.Finding;
import io.capoa.lab.endurance.Invariants;
import io.capoa.lab.endurance.Operation;
import io.capoa.lab.endurance.Operation.Change;
import io.capoa.lab.progress.ClusterRow;
import io.capoa.lab.provider.Provider;
import io.capoa.lab.workload.Workload;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;

/** A cluster that is operated while everything around it fails: each operation has to succeed, and to change no more. */
final class LifeUnderFire {

    /** Two are dead at a time, and a rollout needs one more. */
    static final int HOSTS = 10;

    /** As long as this under fire, and then again without faults. */
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private static final long PULSE_MILLIS = 200;
    private static final int LONG_ENOUGH_FOR_RESTARTS = 600;
    private static final int LONG_ENOUGH_TO_JOIN = 5;
    /** Faults that an update has to bear. */
    private static final int STRUCK = 2;

    private static final String POOL = "MachineConfigPool of machineconfiguration.openshift.io/v1";
    private static final String FAIL = "lab.capoa.io/fail";
    private static final String UNHEALTHY = "capm3.metal3.io/unhealthy";
    private static final String CHANNEL = ",\"upgrade\":{\"channel\":\"stable-4.21\"}";
    private static final List<String> RELEASES = List.of("4.20.3", "4.20.5", "4.21.1", "4.21.3");
    private static final List<String> VERSIONS = List.of("v1.33.5", "v1.34.5");
    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);
    /** Of a definition: the generation whose objects have been migrated. */
    private static final String MIGRATED = "crd-migration.cluster.x-k8s.io/observed-generation";

    private static final List<String> DEFINITIONS = List.of(
            "openshiftassistedconfigs.bootstrap.cluster.x-k8s.io",
            "openshiftassistedcontrolplanes.controlplane.cluster.x-k8s.io");
    /** The definitions are those of all clusters. */
    private static final ReentrantLock MIGRATION = new ReentrantLock();

    private static final List<String> NOTHING_IS_LEFT = List.of(
            "cluster.x-k8s.io/v1beta2 Cluster",
            "cluster.x-k8s.io/v1beta2 Machine",
            "controlplane.cluster.x-k8s.io/v1beta1 OpenshiftAssistedControlPlane",
            "bootstrap.cluster.x-k8s.io/v1beta1 OpenshiftAssistedConfig",
            "infrastructure.cluster.x-k8s.io/v1beta2 Metal3Machine",
            "hive.openshift.io/v1 ClusterDeployment",
            "extensions.hive.openshift.io/v1beta1 AgentClusterInstall",
            "agent-install.openshift.io/v1beta1 InfraEnv",
            "agent-install.openshift.io/v1beta1 Agent");

    private final WholeLab lab;
    private final FaultInjector fire;
    private final Invariants invariants;
    private final EnduranceReport report;
    private final BooleanSupplier over;
    private volatile String now = "";
    private String namespace = "";
    private int release;
    private int version;
    private int changes;

    LifeUnderFire(
            WholeLab lab, FaultInjector fire, Invariants invariants, EnduranceReport report, BooleanSupplier over) {
        this.lab = lab;
        this.fire = fire;
        this.invariants = invariants;
        this.report = report;
        this.over = over;
    }

    /** The operation at this moment, and its namespace. */
    String now() {
        return now;
    }

    /** Lives the operations; after the end of the run only the deletion. Without an answer in time the rest is left out. */
    void live(List<Operation> life) throws InterruptedException {
        release = 0;
        version = 0;
        List<String> created = new ArrayList<>();
        insist("a namespace", () -> created.add(lab.namespace(HOSTS)));
        namespace = created.getLast();
        for (Operation operation : life) {
            if (over.getAsBoolean() && operation != Operation.DELETE) {
                continue;
            }
            if (!done(operation)) {
                return;
            }
        }
    }

    private boolean done(Operation operation) throws InterruptedException {
        now = operation + " in " + namespace;
        Instant begin = Instant.now();
        fire.readOn();
        Change before = invariants.machines(namespace);
        try {
            perform(operation);
        } catch (Stuck stuck) {
            fire.readOn();
            report.find(new Finding("each operation ends", now + ": " + stuck.getMessage(), history()));
            return false;
        } finally {
            report.count("operation " + operation, Duration.between(begin, Instant.now()));
            report.event("%s %s since %s".formatted(Instant.now(), now, begin));
        }
        fire.readOn();
        Change change = invariants.machines(namespace).minus(before);
        if (!change.equals(operation.expected())) {
            report.find(new Finding(
                    "no Machine is replaced that should not be",
                    "%s: %s instead of %s".formatted(now, change, operation.expected()),
                    history()));
        }
        now = "";
        return true;
    }

    private List<String> history() {
        return invariants.history("machines", namespace);
    }

    private void perform(Operation operation) throws InterruptedException {
        switch (operation) {
            case INSTALL -> install();
            case ROLLOUT -> rollOut();
            case SCALE -> {
                scale(5);
                scale(3);
            }
            case REPLACE_DEAD_MASTER -> {
                scale(5);
                replaceDead(true);
                scale(3);
            }
            case REPLACE_DEAD_WORKER -> replaceDead(false);
            case UPGRADE -> upgrade();
            case ROLL_BACK -> rollBack();
            case UPDATE_IN_PLACE -> updateInPlace();
            case MACHINE_CONFIG -> configure();
            case MIGRATE_STORAGE -> migrate();
            case DELETE -> delete();
        }
        if (operation != Operation.DELETE) {
            awaitRest();
        }
    }

    private void install() throws InterruptedException {
        insist("the sample is applied", () -> {
            lab.apply(namespace, WholeLab.sample());
            lab.apply(namespace, healthCheck("", LONG_ENOUGH_FOR_RESTARTS));
        });
    }

    private void rollOut() throws InterruptedException {
        Set<String> before = new HashSet<>();
        insist("masters are known", () -> before.addAll(uids(lab.masters(namespace))));
        changes++;
        insist(
                "a label of nodes changes",
                () -> lab.patchControlPlane(
                        namespace,
                        "{\"spec\":{\"openshiftAssistedConfigSpec\":{\"nodeLabels\":{\"rack\":\"r%d\"}}}}"
                                .formatted(changes)));
        awaitMasters(3, before);
    }

    private void scale(int replicas) throws InterruptedException {
        insist(
                "replicas change",
                () -> lab.patchControlPlane(namespace, "{\"spec\":{\"replicas\":%d}}".formatted(replicas)));
        awaitMasters(replicas, Set.of());
        insist(
                "etcd has %d voters".formatted(replicas),
                () -> assertThat(Voters.of(lab.kubeconfig(namespace, "multinode")))
                        .contains(new Voters(replicas, replicas)));
    }

    /** Its host dies for good, and is repaired once it has been replaced. */
    private void replaceDead(boolean master) throws InterruptedException {
        List<Machine> dead = new ArrayList<>();
        List<String> hosts = new ArrayList<>();
        insist("a host dies", () -> {
            Machine chosen = lab.machines(namespace).stream()
                    .filter(machine -> isMaster(machine) == master)
                    .findFirst()
                    .orElseThrow();
            String host = lab.hostOf(chosen);
            dead.add(chosen);
            hosts.add(host);
            lab.annotateHost(namespace, host, UNHEALTHY, "");
            lab.annotateHost(namespace, host, FAIL, "dead");
            lab.apply(namespace, healthCheck(master ? "Exists" : "DoesNotExist", LONG_ENOUGH_TO_JOIN));
        });
        String gone = dead.getLast().getMetadata().getUid();
        int number = master ? 5 : 2;
        insist(
                "the dead Machine %s is replaced"
                        .formatted(dead.getLast().getMetadata().getName()),
                () -> assertThat(lab.machines(namespace).stream()
                                .filter(machine -> isMaster(machine) == master)
                                .toList())
                        .hasSize(number)
                        .allSatisfy(machine -> {
                            assertThat(machine.getMetadata().getUid()).isNotEqualTo(gone);
                            assertThat(ConditionView.isTrue(machine, "Ready")).isTrue();
                        }));
        insist("the host is repaired", () -> {
            lab.apply(namespace, healthCheck("", LONG_ENOUGH_FOR_RESTARTS));
            for (String host : hosts) {
                lab.annotateHost(namespace, host, FAIL, null);
                lab.annotateHost(namespace, host, UNHEALTHY, null);
            }
        });
    }

    private void upgrade() throws InterruptedException {
        release++;
        request(RELEASES.get(release));
    }

    private void rollBack() throws InterruptedException {
        String from = RELEASES.get(release);
        insist(
                "the rollback is allowed",
                () -> lab.patchControlPlane(
                        namespace,
                        "{\"metadata\":{\"annotations\":{\"%s\":\"%s\"}}}".formatted(Annotations.ROLLBACK_FROM, from)));
        release--;
        request(RELEASES.get(release));
    }

    /** An operator holds the update up until faults have struck it. */
    private void request(String wanted) throws InterruptedException {
        annotate("ClusterOperator of config.openshift.io/v1", "dns", "lab.capoa.io/hold", "");
        insist(
                "a release is asked for",
                () -> Upgrades.upgrade(lab, namespace, wanted, wanted.startsWith("4.21") ? CHANNEL : ""));
        awaitFaults();
        annotate("ClusterOperator of config.openshift.io/v1", "dns", "lab.capoa.io/hold", null);
        insist("the cluster runs " + wanted, () -> {
            assertThat(lab.controlPlane(namespace).getStatus().distributionVersion())
                    .isEqualTo(wanted);
            assertThat(lab.condition(namespace, "UpgradeCompleted"))
                    .hasValueSatisfying(condition ->
                            assertThat(condition.status() + condition.message()).isEqualTo("True"));
        });
    }

    private void awaitFaults() throws InterruptedException {
        int before = fire.struck();
        insist(
                "faults strike",
                () -> assertThat(fire.isHeld() || fire.struck() >= before + STRUCK)
                        .isTrue());
    }

    /** Of an object in the workload cluster; {@code null} removes the annotation. */
    private void annotate(String kind, String name, String annotation, @Nullable String value)
            throws InterruptedException {
        String[] parts = kind.split(" of ");
        insist(kind + " " + name + " is annotated", () -> {
            try (KubernetesClient workload = lab.workload(namespace, "multinode")) {
                var unused = workload.genericKubernetesResources(parts[1], parts[0])
                        .withName(name)
                        .patch(
                                MERGE,
                                "{\"metadata\":{\"annotations\":{\"%s\":%s}}}"
                                        .formatted(annotation, value == null ? "null" : "\"" + value + "\""));
            }
        });
    }

    private void updateInPlace() throws InterruptedException {
        version = 1 - version;
        String wanted = VERSIONS.get(version);
        insist("the MachineDeployment changes", () -> {
            var unused = lab.admin()
                    .resources(MachineDeployment.class)
                    .inNamespace(namespace)
                    .withName("multinode-worker")
                    .patch(MERGE, "{\"spec\":{\"template\":{\"spec\":{\"version\":\"%s\"}}}}".formatted(wanted));
        });
        insist(
                "workers have version " + wanted,
                () -> assertThat(lab.machines(namespace))
                        .filteredOn(machine -> !isMaster(machine))
                        .hasSize(2)
                        .allSatisfy(machine -> {
                            assertThat(Fields.string(machine, "spec", "version"))
                                    .isEqualTo(wanted);
                            assertThat(ConditionView.isTrue(machine, "Ready")).isTrue();
                        }));
    }

    private void configure() throws InterruptedException {
        changes++;
        Set<String> before = new HashSet<>();
        insist("configurations are known", () -> before.addAll(configurations()));
        for (String pool : List.of("master", "worker")) {
            annotate(POOL, pool, "lab.capoa.io/hold", "");
            annotate(POOL, pool, "lab.capoa.io/machine-config", "c" + changes);
        }
        awaitFaults();
        for (String pool : List.of("master", "worker")) {
            annotate(POOL, pool, "lab.capoa.io/hold", null);
        }
        insist(
                "nodes have other configurations",
                () -> assertThat(configurations()).hasSize(2).doesNotContainAnyElementsOf(before));
    }

    /** Configurations that Nodes run and that pools want. */
    private Set<String> configurations() {
        try (KubernetesClient workload = lab.workload(namespace, "multinode")) {
            return workload.nodes().list().getItems().stream()
                    .map(node -> node.getMetadata().getAnnotations())
                    .flatMap(annotations -> Stream.of("current", "desired")
                            .map(which -> annotations.getOrDefault(
                                    "machineconfiguration.openshift.io/%sConfig".formatted(which), "")))
                    .collect(Collectors.toSet());
        }
    }

    private void migrate() throws InterruptedException {
        MIGRATION.lock();
        try {
            insist("older versions are stored", () -> {
                for (String name : DEFINITIONS) {
                    CustomResourceDefinition definition = definition(name);
                    definition = lab.admin()
                            .resource(definition)
                            .patch(MERGE, "{\"metadata\":{\"annotations\":{\"%s\":null}}}".formatted(MIGRATED));
                    definition
                            .getStatus()
                            .setStoredVersions(definition.getSpec().getVersions().stream()
                                    .map(served -> served.getName())
                                    .toList());
                    var unused = lab.admin().resource(definition).updateStatus();
                }
            });
            // A leader begins with the migration.
            insist("leaders begin", () -> {
                for (Provider provider : Provider.values()) {
                    lab.running(provider)
                            .forEach(container ->
                                    ProcessHandle.of(container.pid()).ifPresent(ProcessHandle::destroyForcibly));
                }
            });
            insist(
                    "one version is stored",
                    () -> assertThat(DEFINITIONS)
                            .allSatisfy(name -> assertThat(
                                            definition(name).getStatus().getStoredVersions())
                                    .containsExactly("v1beta1")));
        } finally {
            MIGRATION.unlock();
        }
    }

    private CustomResourceDefinition definition(String name) {
        return lab.admin()
                .apiextensions()
                .v1()
                .customResourceDefinitions()
                .withName(name)
                .require();
    }

    private void delete() throws InterruptedException {
        insist("the Cluster is deleted", () -> {
            var unused = lab.admin()
                    .resources(Cluster.class)
                    .inNamespace(namespace)
                    .withName("multinode")
                    .delete();
        });
        insist("nothing is left", () -> {
            assertThat(NOTHING_IS_LEFT).allSatisfy(kind -> {
                String[] parts = kind.split(" ");
                assertThat(lab.admin()
                                .genericKubernetesResources(parts[0], parts[1])
                                .inNamespace(namespace)
                                .list()
                                .getItems())
                        .extracting(object ->
                                object.getKind() + " " + object.getMetadata().getName())
                        .isEmpty();
            });
            assertThat(lab.admin().secrets().inNamespace(namespace).list().getItems())
                    .extracting(secret -> secret.getMetadata().getName())
                    .filteredOn(name -> !name.contains("pull-secret"))
                    .filteredOn(name -> !name.contains("bmc"))
                    .isEmpty();
            assertThat(lab.admin()
                            .resources(BareMetalHost.class)
                            .inNamespace(namespace)
                            .list()
                            .getItems())
                    .extracting(host -> BareMetalHostView.of(host).consumerName())
                    .containsOnlyNulls();
        });
    }

    /** The cluster is Ready, health checks are released, and etcd had its majority throughout. */
    private void awaitRest() throws InterruptedException {
        insist(
                "the cluster is Ready",
                () -> assertThat(lab.rows(namespace))
                        .isNotEmpty()
                        .allSatisfy(row ->
                                assertThat(row.ready()).as(() -> describe(row)).isTrue()));
        insist(
                "health checks are released",
                () -> assertThat(lab.admin()
                                .resources(MachineHealthCheck.class)
                                .inNamespace(namespace)
                                .list()
                                .getItems())
                        .isNotEmpty()
                        .allSatisfy(check -> assertThat(annotations(check))
                                .doesNotContain(Annotations.PAUSED, Annotations.PAUSED_FOR_UPGRADE)));
        List<String> lost = new ArrayList<>();
        insist("etcd is known", () -> lost.addAll(workload().lostMajorities()));
        if (!lost.isEmpty()) {
            report.find(
                    new Finding("etcd keeps its majority", now + ": healthy members of voters: " + lost, history()));
        }
    }

    private static String describe(ClusterRow row) {
        return "%s: %s %s".formatted(row.title(), row.waitingFor(), row.machines());
    }

    private static Set<String> annotations(HasMetadata object) {
        return object.getMetadata().getAnnotations() == null
                ? Set.of()
                : object.getMetadata().getAnnotations().keySet();
    }

    private Workload workload() {
        return lab.simulated(namespace);
    }

    private void awaitMasters(int number, Set<String> gone) throws InterruptedException {
        insist(
                "%d masters are Ready".formatted(number),
                () -> assertThat(lab.masters(namespace)).hasSize(number).allSatisfy(machine -> {
                    assertThat(machine.getMetadata().getUid()).isNotIn(gone);
                    assertThat(ConditionView.isTrue(machine, "Ready")).isTrue();
                }));
    }

    private static Set<String> uids(Collection<Machine> machines) {
        return machines.stream().map(machine -> machine.getMetadata().getUid()).collect(Collectors.toSet());
    }

    private static boolean isMaster(Machine machine) {
        return machine.getMetadata().getLabels().containsKey(Labels.CONTROL_PLANE);
    }

    private static String healthCheck(String controlPlane, int seconds) {
        String selector = controlPlane.isEmpty()
                ? "matchLabels: {cluster.x-k8s.io/cluster-name: multinode}"
                : "matchExpressions: [{key: cluster.x-k8s.io/control-plane, operator: %s}]".formatted(controlPlane);
        return """
            apiVersion: cluster.x-k8s.io/v1beta2
            kind: MachineHealthCheck
            metadata: {name: check}
            spec:
              clusterName: multinode
              selector: {%1$s}
              checks:
                nodeStartupTimeoutSeconds: 0
                unhealthyNodeConditions:
                - {type: Ready, status: Unknown, timeoutSeconds: %2$d}
                - {type: Ready, status: "False", timeoutSeconds: %2$d}
            """.formatted(selector, seconds);
    }

    /** Tries until it succeeds: requests fail while the API server is away. */
    private void insist(String what, ThrowingCallable attempt) throws InterruptedException {
        long begin = System.nanoTime();
        boolean held = false;
        try {
            while (true) {
                @Nullable Throwable failure = failure(attempt);
                long taken = System.nanoTime() - begin;
                if (failure == null) {
                    return;
                }
                if (!held && taken > PATIENCE.toNanos()) {
                    fire.hold();
                    held = true;
                    report.event("%s %s: no faults until %s: %s".formatted(Instant.now(), now, what, failure));
                }
                if (taken > 2 * PATIENCE.toNanos()) {
                    throw new Stuck(what, failure, state());
                }
                TimeUnit.MILLISECONDS.sleep(PULSE_MILLIS);
            }
        } finally {
            if (held) {
                fire.release();
            }
        }
    }

    private static @Nullable Throwable failure(ThrowingCallable attempt) throws InterruptedException {
        try {
            attempt.call();
            return null;
        } catch (InterruptedException e) {
            throw e;
        } catch (Throwable failure) {
            return failure;
        }
    }

    private String state() {
        try {
            return String.valueOf(lab.controlPlane(namespace).getStatus().conditions());
        } catch (RuntimeException unknown) {
            return String.valueOf(unknown);
        }
    }

    /** An operation does not end, even without faults. */
    private static final class Stuck extends RuntimeException {

        private static final long serialVersionUID = 1L;

        Stuck(String what, Throwable failure, String state) {
            super("not reached: %s: %s; control plane: %s".formatted(what, failure, state), failure);
        }
    }
}
