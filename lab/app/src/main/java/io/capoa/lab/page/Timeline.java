package io.capoa.lab.page;

import static java.util.Comparator.comparing;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.Machine;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * When objects took which step, by the times of their conditions, split into operations: each has a scale of time of its
 * own. Pure.
 */
final class Timeline {

    /** Between operations; the steps of one follow each other sooner, or one of them runs. */
    private static final Duration PAUSE = Duration.ofHours(1);

    private static final String BEGUN = "begun";

    private static final Map<String, String> OF_CONTROL_PLANE = ordered(
            "ReleaseResolved", "release resolved",
            "MachinesCreated", "Machines created",
            "KubeconfigAvailable", "kubeconfig published",
            "Initialized", "API server answered",
            "Available", "available");
    private static final Map<String, String> OF_CONFIG = ordered(
            "InfraEnvReady", "boot media made",
            "DataSecretAvailable", "bootstrap data written",
            "AgentRegistered", "host booted and registered",
            "AgentApproved", "host approved",
            "Installed", "host installed");
    private static final Map<String, String> OF_MACHINE =
            ordered("InfrastructureReady", "infrastructure ready", "NodeReady", "node ready");
    private static final Map<String, String> ACTIVITIES = ordered(
            "RollingOut", "rollout",
            "ScalingUp", "scaling up",
            "ScalingDown", "scaling down",
            "Remediating", "remediation",
            "Deleting", "deletion");

    private Timeline() {}

    /** What happened in one go, such as an installation, with its objects. */
    record Operation(String title, List<Track> tracks) {}

    /**
     * What one object went through.
     *
     * @param milestones in the order of time; the first is the begin
     * @param running the step that has not ended; empty if all have
     * @param failed whether that step is in trouble
     */
    record Track(String name, List<Milestone> milestones, String running, boolean failed) {

        private Instant begin() {
            return Instant.parse(milestones.getFirst().time());
        }

        private Instant end(Instant now) {
            return running.isEmpty() ? Instant.parse(milestones.getLast().time()) : now;
        }
    }

    /**
     * The end of a step.
     *
     * @param time RFC 3339
     */
    record Milestone(String label, String time) {}

    /** The steps of a control plane, and what it does now. */
    static List<Track> ofControlPlane(OpenshiftAssistedControlPlane controlPlane, boolean failed) {
        List<Track> tracks = tracks(controlPlane, steps(controlPlane, OF_CONTROL_PLANE), "Available", failed);
        ACTIVITIES.forEach((type, label) -> ObjectConditions.trueSince(controlPlane, type)
                .ifPresent(since -> tracks.add(begun(label, since, failed))));
        ObjectConditions.of(controlPlane)
                .filter(line -> line.type().equals("UpgradeCompleted")
                        && line.status().equals("False")
                        && !line.since().isEmpty())
                .findFirst()
                .ifPresent(line -> tracks.add(begun("upgrade", line.since(), failed)));
        return tracks;
    }

    /** @param config {@code null} if the Machine has none */
    static List<Track> ofMachine(Machine machine, @Nullable OpenshiftAssistedConfig config, boolean failed) {
        List<Step> steps = new ArrayList<>();
        if (config != null) {
            steps.addAll(steps(config, OF_CONFIG));
        }
        steps.addAll(steps(machine, OF_MACHINE));
        return tracks(machine, steps, "NodeReady", failed);
    }

    /** Splits tracks where for an hour none had a step. */
    static List<Operation> operations(List<Track> tracks, Instant now) {
        List<List<Track>> groups = new ArrayList<>();
        Instant end = Instant.MIN;
        for (Track track : tracks.stream().sorted(comparing(Track::begin)).toList()) {
            if (groups.isEmpty() || track.begin().isAfter(end.plus(PAUSE))) {
                groups.add(new ArrayList<>());
            }
            groups.getLast().add(track);
            end = end.isAfter(track.end(now)) ? end : track.end(now);
        }
        List<Operation> operations = new ArrayList<>();
        for (List<Track> group : groups.reversed()) {
            operations.add(new Operation(title(group, operations.size() == groups.size() - 1), group));
        }
        return operations;
    }

    private static String title(List<Track> group, boolean first) {
        return first
                ? "installation"
                : group.stream()
                        .filter(track -> track.milestones().getFirst().label().equals(BEGUN))
                        .map(Track::name)
                        .findFirst()
                        .orElse("Machines added or replaced");
    }

    /** @param time empty if the step has not ended */
    private record Step(String label, String time) {}

    private static List<Step> steps(HasMetadata object, Map<String, String> labels) {
        return labels.entrySet().stream()
                .map(step -> new Step(
                        step.getValue(),
                        ObjectConditions.trueSince(object, step.getKey()).orElse("")))
                .toList();
    }

    private static Track begun(String label, String since, boolean failed) {
        return new Track(label, List.of(new Milestone(BEGUN, since)), label, failed);
    }

    /** @param flipping the condition of the last step, which an installed object can lose and regain */
    private static List<Track> tracks(HasMetadata object, List<Step> steps, String flipping, boolean failed) {
        String name = object.getMetadata().getName();
        var created =
                new Milestone("created", String.valueOf(object.getMetadata().getCreationTimestamp()));
        List<Milestone> milestones = Stream.concat(
                        Stream.of(created),
                        steps.stream()
                                .filter(step -> !step.time().isEmpty())
                                .map(step -> new Milestone(step.label(), step.time())))
                .filter(milestone -> isTime(milestone.time()))
                .sorted(comparing(milestone -> Instant.parse(milestone.time())))
                .collect(Collectors.toCollection(ArrayList::new));
        if (milestones.size() > 1 && !milestones.getFirst().equals(created)) {
            // An object that was moved or restored is younger than what it went through.
            milestones.remove(created);
        }
        if (milestones.isEmpty()) {
            return new ArrayList<>();
        }
        String last = steps.getLast().label();
        // A step that is passed over is not the one that runs.
        String running = steps.reversed().stream()
                .takeWhile(step -> step.time().isEmpty())
                .map(Step::label)
                .reduce("", (later, earlier) -> earlier);
        Optional<String> lost =
                ObjectConditions.since(object, flipping, "False").filter(time -> isLater(time, milestones.getLast()));
        List<Track> tracks = new ArrayList<>();
        if (running.equals(last) && lost.isPresent()) {
            tracks.add(new Track(name, milestones, "", false));
            tracks.add(
                    new Track(name + ": " + last + " again", List.of(new Milestone(BEGUN, lost.get())), last, failed));
            return tracks;
        }
        if (milestones.size() > 1
                && milestones.getLast().label().equals(last)
                && isLater(milestones.getLast().time(), milestones.get(milestones.size() - 2))) {
            // It came back: not a step of its installation.
            milestones.removeLast();
        }
        tracks.add(new Track(name, milestones, running, failed));
        return tracks;
    }

    private static boolean isLater(String time, Milestone than) {
        return isTime(time)
                && Instant.parse(time).isAfter(Instant.parse(than.time()).plus(PAUSE));
    }

    private static boolean isTime(String time) {
        try {
            Instant.parse(time);
            return true;
        } catch (DateTimeParseException e) {
            return false;
        }
    }

    private static Map<String, String> ordered(String... pairs) {
        Map<String, String> map = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            map.put(pairs[i], pairs[i + 1]);
        }
        return Collections.unmodifiableMap(map);
    }
}
