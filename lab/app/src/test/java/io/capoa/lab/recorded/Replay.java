package io.capoa.lab.recorded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.capoa.api.Annotations;
import io.capoa.api.Labels;
import io.capoa.api.contract.Agent;
import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.InfraEnv;
import io.capoa.api.contract.Machine;
import io.capoa.api.contract.MachineDeployment;
import io.capoa.api.contract.Metal3Machine;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Replays one recording to the providers: repeats the writes of users, Cluster API core, CAPM3 and assisted-service on
 * the objects that the providers create. A step waits until its object exists.
 */
final class Replay {

    private static final Duration MADE_WITHIN = Duration.ofMinutes(1);
    /** Recorded time runs faster, and pauses are shortened. */
    private static final double PACE = 0.2;

    private static final double LONGEST_PAUSE_SECONDS = 0.5;

    private static final Map<String, Class<? extends HasMetadata>> KINDS = Map.of(
            "Cluster", Cluster.class,
            "Machine", Machine.class,
            "M3M", Metal3Machine.class,
            "MD", MachineDeployment.class,
            "InfraEnv", InfraEnv.class,
            "ACI", AgentClusterInstall.class,
            "Agent", Agent.class,
            "BMH", BareMetalHost.class,
            "OACP", OpenshiftAssistedControlPlane.class);

    /** Kinds whose objects are named after their Machine. */
    private static final Set<String> OF_MACHINES = Set.of("Machine", "M3M", "InfraEnv");

    private final Recording recording;
    private final Stage stage;
    private final RecordedManifests manifests;
    private final String media;
    private final Runnable beforeRetry;
    /** Names of this run's control-plane Machines, by recorded name. */
    private final Map<String, String> names = new HashMap<>();

    private volatile @Nullable Instant rewritten;

    /** Steps whose objects do not exist yet. */
    private final List<List<RecordedLine>> waiting = new ArrayList<>();

    /** UIDs of the objects of the current lines, by recorded name. */
    private final Map<String, String> uids = new HashMap<>();

    private final Map<String, Map<String, Object>> statuses = new HashMap<>();

    /**
     * A replay of a recording.
     *
     * @param media URL of the boot media
     * @param beforeRetry called after a failed installation, before the retry
     */
    Replay(Recording recording, Stage stage, RecordedManifests manifests, String media, Runnable beforeRetry) {
        this.recording = recording;
        this.stage = stage;
        this.manifests = manifests;
        this.media = media;
        this.beforeRetry = beforeRetry;
    }

    void run() throws InterruptedException {
        CoreDuties core = new CoreDuties(stage, recording.cluster());
        try (core) {
            double at = 0;
            for (List<RecordedLine> step : recording.steps()) {
                double now = step.getFirst().at();
                Thread.sleep(Math.round(1000 * Math.min(LONGEST_PAUSE_SECONDS, PACE * Math.max(0, now - at))));
                at = now;
                waiting.add(step);
                applyWhatCanBe();
            }
            await(recording.file()).atMost(MADE_WITHIN).untilAsserted(() -> {
                applyWhatCanBe();
                assertThat(waiting)
                        .as(() -> "steps whose objects are not there; the control plane says "
                                + conditions(stage.find(OpenshiftAssistedControlPlane.class, recording.cluster())))
                        .isEmpty();
            });
            if (recording.endsDeleted()) {
                await(recording + ": the Cluster is gone")
                        .atMost(MADE_WITHIN)
                        .until(() -> stage.find(Cluster.class, recording.cluster()) == null);
            }
        }
    }

    /** Keeps the order of each object's steps; recorded delays differ between kinds. */
    private void applyWhatCanBe() {
        Set<String> blocked = new HashSet<>();
        for (List<RecordedLine> step : List.copyOf(waiting)) {
            if (isTurn(step) && !blocked.isEmpty()) {
                return;
            }
            if (blocked.contains(step.getFirst().object()) || !canApply(step)) {
                blocked.add(step.getFirst().object());
            } else if (succeeds(step)) {
                waiting.remove(step);
            }
        }
    }

    /**
     * Whether a step requires all steps before it: a user action, or the begin of the installation, for which hosts have
     * registered.
     */
    private static boolean isTurn(List<RecordedLine> step) {
        return step.stream()
                .anyMatch(line -> line.key().equals("deleted")
                        || line.key().equals("retried")
                        || (line.kind().equals("ACI")
                                && line.key().equals("state")
                                && line.value().equals("preparing-for-installation")));
    }

    /** Applies a step; retries later if its object has just been deleted. */
    private boolean succeeds(List<RecordedLine> step) {
        try {
            apply(step);
            return true;
        } catch (KubernetesClientException e) {
            if (e.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
                return false;
            }
            throw e;
        }
    }

    private boolean canApply(List<RecordedLine> step) {
        RecordedLine first = step.getFirst();
        return switch (first.kind()) {
            case "BMH" -> step.stream().allMatch(line -> !line.key().equals("consumer") || canBeClaimed(line.value()));
            case "Agent" ->
                step.stream()
                        .allMatch(line -> !line.key().equals("infraenv") || canRegister(line.name(), line.value()));
            case "Cluster", "OACP", "MD" -> true;
            default -> (first.kind().equals("Machine") && isWorker(first.name())) || isMade(step);
        };
    }

    /** Whether an object that a provider creates exists or has existed. */
    private boolean isMade(List<RecordedLine> step) {
        RecordedLine first = step.getFirst();
        boolean begins = first.key().equals("+");
        String known = uids.get(first.object());
        String before = names.get(first.name());
        if (begins && first.kind().equals("Machine") && before != null && !isAlive(before)) {
            names.remove(first.name());
        }
        HasMetadata object = object(first);
        if (object == null) {
            boolean gone = OF_MACHINES.contains(first.kind()) && before != null && !isAlive(before);
            return !begins && (known != null || gone);
        }
        String uid = object.getMetadata().getUid();
        if (known == null || (begins && !known.equals(uid))) {
            uids.put(first.object(), uid);
        }
        return !begins || !uid.equals(known);
    }

    /** Whether a line belongs to the present object, not to a deleted one. */
    private boolean isCurrent(RecordedLine line) {
        HasMetadata object = object(line);
        String known = uids.get(line.object());
        return object != null
                && (known == null || known.equals(object.getMetadata().getUid()));
    }

    private @Nullable HasMetadata object(RecordedLine line) {
        return stage.find(type(line.kind()), thisRuns(line));
    }

    /** The name of a line's object in this run. */
    private String thisRuns(RecordedLine line) {
        return OF_MACHINES.contains(line.kind()) ? machine(line.name()) : line.name();
    }

    private static Class<? extends HasMetadata> type(String kind) {
        return Objects.requireNonNull(KINDS.get(kind), kind);
    }

    private boolean isAlive(String machine) {
        Machine known = stage.find(Machine.class, machine);
        return known != null && known.getMetadata().getDeletionTimestamp() == null;
    }

    /** CAPM3 claims a host for a Metal3Machine once its Machine has bootstrap data. */
    private boolean canBeClaimed(String consumer) {
        Machine machine = isNothing(consumer) ? null : stage.find(Machine.class, machine(consumer));
        return isNothing(consumer)
                || (machine != null && Fields.string(machine, "spec", "bootstrap", "dataSecretName") != null);
    }

    /** A host registers after its boot: it has been claimed, and its InfraEnv exists. */
    private boolean canRegister(String agent, String infraEnv) {
        return stage.find(Agent.class, agent) != null
                || (stage.find(InfraEnv.class, machine(infraEnv)) != null
                        && !hostOf(machine(infraEnv)).isEmpty());
    }

    private String hostOf(String machine) {
        Metal3Machine claimed = stage.find(Metal3Machine.class, machine);
        var annotations = claimed == null ? null : claimed.getMetadata().getAnnotations();
        String host = annotations == null ? "" : annotations.getOrDefault(Annotations.BARE_METAL_HOST, "");
        return host.substring(host.indexOf('/') + 1);
    }

    private static boolean isNothing(String value) {
        return value.isEmpty() || value.equals("None") || value.equals("null");
    }

    /** The name of an object in this run. */
    String nameOf(String kind, String recorded) {
        return kind.equals("OACP") ? recorded : names.getOrDefault(recorded, recorded);
    }

    private void apply(List<RecordedLine> step) {
        List<RecordedLine> states = new ArrayList<>();
        for (RecordedLine line : step) {
            switch (line.key()) {
                case "+" -> created(line);
                case "deleted" -> deleted(line);
                default -> states.add(line);
            }
        }
        boolean registers = states.stream().anyMatch(line -> line.key().equals("infraenv"));
        if (!states.isEmpty() && (registers || isCurrent(states.getFirst()))) {
            states(states.getFirst().kind(), thisRuns(states.getFirst()), states);
        }
    }

    private void created(RecordedLine line) {
        String name = line.name();
        switch (line.kind()) {
            case "BMH" -> {
                if (stage.find(BareMetalHost.class, name) == null) {
                    stage.create(manifests.host(name));
                }
            }
            case "Cluster", "OACP", "MD" -> manifests.user(line.kind()).forEach(stage::create);
            case "Machine" -> {
                if (isWorker(name)) {
                    manifests.worker(name).forEach(stage::create);
                }
            }
            default -> {}
        }
    }

    private void deleted(RecordedLine line) {
        if (isCurrent(line)) {
            stage.delete(type(line.kind()), thisRuns(line));
        }
    }

    private void states(String kind, String name, List<RecordedLine> lines) {
        Map<String, Object> status = new LinkedHashMap<>();
        Map<String, Object> spec = new LinkedHashMap<>();
        for (RecordedLine line : lines) {
            if (line.isCondition()) {
                conditions(kind, name).put(line.conditionType(), condition(line));
                if (line.conditionType().equals("Validated")) {
                    status.put("validationsInfo", Checks.of(line));
                }
            } else {
                state(kind, name, line, status, spec);
            }
        }
        if (lines.stream().anyMatch(RecordedLine::isCondition)) {
            status.put("conditions", besideOthers(kind, name));
        }
        if (!spec.isEmpty()) {
            stage.merge(type(kind), name, Map.of("spec", spec));
        }
        if (!status.isEmpty()) {
            stage.mergeStatus(type(kind), name, status);
        }
    }

    /** All conditions of an object: recorded ones, and those that a provider sets. */
    private List<Object> besideOthers(String kind, String name) {
        Map<String, Object> all = new TreeMap<>();
        if (stage.find(type(kind), name) instanceof GenericKubernetesResource object) {
            Fields.list(object, "status", "conditions")
                    .forEach(condition -> all.put(String.valueOf(Fields.any(condition, "type")), condition));
        }
        all.putAll(conditions(kind, name));
        return List.copyOf(all.values());
    }

    private void state(
            String kind, String name, RecordedLine line, Map<String, Object> status, Map<String, Object> spec) {
        switch (kind + " " + line.key()) {
            case "Cluster init" -> status.put("initialization", json(line));
            case "Cluster ep" -> spec.put("controlPlaneEndpoint", json(line));
            case "OACP specrep" -> spec.put("replicas", Integer.valueOf(line.value()));
            case "OACP retried" -> {
                beforeRetry.run();
                stage.merge(
                        OpenshiftAssistedControlPlane.class,
                        name,
                        Map.of("metadata", Map.of("annotations", Map.of(Annotations.RETRY_INSTALL, "1"))));
            }
            case "MD replicas" -> spec.put("replicas", ((List<?>) json(line)).getFirst());
            case "Machine node" -> {
                if (!isNothing(line.value())) {
                    status.put("nodeRef", Map.of("name", line.value()));
                }
            }
            case "M3M prov" -> status.put("initialization", Map.of("provisioned", true));
            case "M3M providerID" -> spec.put("providerID", line.value().replaceFirst("/[^/]*$", "/" + name));
            case "BMH consumer" -> claim(name, line.value());
            case "InfraEnv iso" -> status.put("isoDownloadURL", media + "/iso/" + name);
            case "InfraEnv ign" -> {
                String url = media + "/ignition/" + name + "?api_key=";
                status.put(
                        "bootArtifacts",
                        Map.of(
                                "discoveryIgnitionURL",
                                url,
                                "initrd",
                                url,
                                "kernel",
                                url,
                                "rootfs",
                                url,
                                "ipxeScript",
                                url));
            }
            case "ACI state", "Agent state" -> debugInfo(status).put("state", line.value());
            case "ACI pct" -> status.put("progress", Map.of("totalPercentage", Integer.valueOf(line.value())));
            case "ACI clusterMetadata" -> {
                spec.put("clusterMetadata", json(line));
                if (stage.find(Secret.class, name + "-admin-kubeconfig") == null) {
                    stage.create(manifests.kubeconfig(name));
                }
            }
            case "ACI hold" -> dropZeroValues(name);
            case "Agent infraenv" -> agent(name, machine(line.value()));
            case "Agent stage" -> status.put("progress", Map.of("currentStage", line.value()));
            case "Agent role" -> status.put("role", line.value());
            case "Agent bootstrap" -> status.put("bootstrap", true);
            default -> throw new IllegalArgumentException(recording + ": " + line);
        }
    }

    /** The service updates the whole object from Go types, which omit zero values. */
    private void dropZeroValues(String name) {
        Map<String, Object> spec = new HashMap<>();
        spec.put("holdInstallation", null);
        AgentClusterInstall install = Objects.requireNonNull(stage.find(AgentClusterInstall.class, name));
        if (Objects.equals(Fields.integer(install, "spec", "provisionRequirements", "workerAgents"), 0)) {
            Map<String, Object> requirements = new HashMap<>();
            requirements.put("workerAgents", null);
            spec.put("provisionRequirements", requirements);
        }
        stage.merge(AgentClusterInstall.class, name, Map.of("spec", spec));
        rewritten = Instant.now();
    }

    /** Time of the last write of the AgentClusterInstall without zero values, if any. */
    Optional<Instant> rewritten() {
        return Optional.ofNullable(rewritten);
    }

    private void claim(String host, String consumer) {
        if (isNothing(consumer)) {
            return;
        }
        String machine = machine(consumer);
        stage.merge(
                BareMetalHost.class,
                host,
                Map.of(
                        "spec",
                        Map.of(
                                "consumerRef",
                                Map.of("kind", "Metal3Machine", "name", machine, "namespace", stage.namespace()))));
        stage.merge(
                Metal3Machine.class,
                machine,
                Map.of(
                        "metadata",
                        Map.of("annotations", Map.of(Annotations.BARE_METAL_HOST, stage.namespace() + "/" + host))));
    }

    private void agent(String name, String machine) {
        if (stage.find(Agent.class, name) == null) {
            stage.create(manifests.agent(name, Objects.requireNonNull(stage.find(InfraEnv.class, machine))));
            stage.mergeStatus(Agent.class, name, Map.of("inventory", manifests.inventory(hostOf(machine))));
        }
    }

    /** The Machine of this run for a recorded one; empty if there is none yet. */
    private String machine(String recorded) {
        if (isWorker(recorded)) {
            return recorded;
        }
        if (!names.containsKey(recorded)) {
            unnamed().ifPresent(name -> names.put(recorded, name));
        }
        return names.getOrDefault(recorded, "");
    }

    private static String conditions(@Nullable OpenshiftAssistedControlPlane object) {
        return object == null || object.getStatus() == null
                ? "nothing"
                : String.valueOf(object.getStatus().conditions());
    }

    private Optional<String> unnamed() {
        return stage.list(Machine.class).stream()
                .filter(machine -> machine.getMetadata().getDeletionTimestamp() == null)
                .filter(machine -> machine.getMetadata().getLabels().containsKey(Labels.CONTROL_PLANE))
                .map(machine -> machine.getMetadata().getName())
                .filter(name -> !names.containsValue(name))
                .sorted()
                .findFirst();
    }

    private boolean isWorker(String name) {
        return name.startsWith(recording.cluster() + "-worker-");
    }

    @SuppressWarnings("unchecked")
    private Map<String, Object> conditions(String kind, String name) {
        return statuses.computeIfAbsent(kind + " " + name, key -> new TreeMap<>());
    }

    private static Map<String, Object> condition(RecordedLine line) {
        return Map.of(
                "type",
                line.conditionType(),
                "status",
                line.status(),
                "reason",
                line.reason(),
                "message",
                line.message(),
                "lastTransitionTime",
                "2026-01-01T00:00:00Z");
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> debugInfo(Map<String, Object> status) {
        return (Map<String, Object>)
                status.computeIfAbsent("debugInfo", key -> new HashMap<>(Map.of("eventsURL", "", "stateInfo", "")));
    }

    private static Object json(RecordedLine line) {
        return Serialization.unmarshal(line.value(), Object.class);
    }
}
