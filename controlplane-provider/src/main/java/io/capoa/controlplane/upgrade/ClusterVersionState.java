package io.capoa.controlplane.upgrade;

import io.capoa.api.Annotations;
import io.capoa.api.conditions.Condition;
import io.capoa.api.contract.ConditionView;
import io.capoa.api.contract.Fields;
import io.capoa.api.untrusted.UntrustedContent;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What the ClusterVersion of an OpenShift cluster says, as far as an upgrade needs it. Changes of the object that are of
 * no consequence, such as those of times, make no difference.
 *
 * @param observed whether the cluster version operator has seen the latest spec
 * @param requested what {@code spec.desiredUpdate} asks for; {@code null} if nothing
 * @param forced whether {@code spec.desiredUpdate} skips the checks
 * @param own whether {@code spec.desiredUpdate} is still as the provider wrote it
 * @param desired the release that the cluster runs or moves to
 * @param history the latest releases, newest first
 * @param channel empty if none is set
 * @param conditions by type
 * @param offered recommended updates, and those with known risks
 */
public record ClusterVersionState(
        boolean observed,
        @Nullable ReleaseName requested,
        boolean forced,
        boolean own,
        ReleaseName desired,
        List<Past> history,
        String channel,
        SortedMap<String, ConditionView> conditions,
        List<OfferedUpdate> offered) {

    private static final String ACCEPTED = "ReleaseAccepted";
    private static final int LATEST = 10;
    private static final int LONGEST_TEXT = 600;
    private static final int LONGEST_NAME = 127;

    /** A release that the cluster has run or moved to. */
    public record Past(ReleaseName release, boolean completed) {}

    public ClusterVersionState {
        history = List.copyOf(history);
        offered = List.copyOf(offered);
    }

    /** Reads a ClusterVersion ({@code config.openshift.io/v1}); fields of another type count as absent. */
    public static ClusterVersionState of(GenericKubernetesResource object) {
        Long generation = object.getMetadata().getGeneration();
        Object observed = Fields.any(object, "status", "observedGeneration");
        Object update = Fields.any(object, "spec", "desiredUpdate");
        ReleaseName requested = release(update);
        boolean forced = "true".equals(Fields.text(update, "force"));
        SortedMap<String, ConditionView> conditions = new TreeMap<>();
        for (Object condition : Fields.list(object, "status", "conditions")) {
            String type = name(condition, "type");
            conditions.put(
                    type,
                    new ConditionView(
                            type, name(condition, "status"), name(condition, "reason"), text(condition, "message")));
        }
        return new ClusterVersionState(
                generation == null || (observed instanceof Number number && number.longValue() >= generation),
                requested.equals(ReleaseName.NONE) ? null : requested,
                forced,
                mark(requested, forced).equals(annotation(object)),
                release(Fields.any(object, "status", "desired")),
                Fields.list(object, "status", "history").stream()
                        .limit(LATEST)
                        .map(entry -> new Past(release(entry), "Completed".equals(Fields.text(entry, "state"))))
                        .toList(),
                Objects.requireNonNullElse(Fields.string(object, "spec", "channel"), ""),
                conditions,
                offered(object));
    }

    /** Value of {@link Annotations#REQUESTED_UPDATE} for a request. */
    public static String mark(ReleaseName release, boolean force) {
        return release.version() + " " + release.image() + (force ? " force" : "");
    }

    private static @Nullable String annotation(GenericKubernetesResource object) {
        return Annotations.value(object, Annotations.REQUESTED_UPDATE);
    }

    private static List<OfferedUpdate> offered(GenericKubernetesResource object) {
        List<OfferedUpdate> offered = new ArrayList<>();
        for (Object update : Fields.list(object, "status", "availableUpdates")) {
            offered.add(new OfferedUpdate(release(update), List.of()));
        }
        for (Object update : Fields.list(object, "status", "conditionalUpdates")) {
            ReleaseName release = release(Fields.any(update, "release"));
            List<String> risks = items(update, "risks")
                    .map(risk -> name(risk, "name"))
                    .sorted()
                    .toList();
            boolean recommended = items(update, "conditions")
                    .anyMatch(condition -> "Recommended".equals(Fields.text(condition, "type"))
                            && Condition.TRUE.equals(Fields.text(condition, "status")));
            if (!recommended
                    && offered.stream()
                            .noneMatch(known -> known.release().version().equals(release.version()))) {
                offered.add(new OfferedUpdate(release, risks));
            }
        }
        return offered;
    }

    private static Stream<?> items(Object of, String field) {
        return Fields.list(of, field).stream();
    }

    private static ReleaseName release(@Nullable Object of) {
        return new ReleaseName(name(of, "version"), text(of, "image"));
    }

    private static String name(@Nullable Object of, String field) {
        return UntrustedContent.quoted(Fields.text(of, field), LONGEST_NAME);
    }

    private static String text(@Nullable Object of, String field) {
        return UntrustedContent.quoted(Fields.text(of, field), LONGEST_TEXT);
    }

    /**
     * The release that the cluster runs, as the cluster version operator computes it: the last one whose rollout is
     * complete, otherwise the oldest; empty before the first.
     */
    public Optional<ReleaseName> running() {
        return history.stream()
                .filter(Past::completed)
                .findFirst()
                .or(() -> history.isEmpty() ? Optional.empty() : Optional.of(history.getLast()))
                .map(Past::release);
    }

    /** Whether the cluster is moving to another release. */
    public boolean isMoving() {
        return !history.isEmpty() && !history.getFirst().completed();
    }

    /** The requested release if the cluster neither runs nor moves to it; empty if it does, or nothing is requested. */
    public Optional<ReleaseName> pending() {
        return Optional.ofNullable(requested).filter(release -> !release.isSame(desired));
    }

    /**
     * Whether the cluster retrieves and checks a requested release. The operator writes nothing meanwhile, so for minutes
     * its status is that of the spec before.
     */
    public boolean isChecking() {
        return pending().isPresent()
                && (!observed || condition(ACCEPTED, Condition.UNKNOWN).isPresent());
    }

    /** Why the cluster refuses the requested release, which it keeps trying; empty if it does not. */
    public Optional<ConditionView> refusal() {
        return pending().isEmpty() || isChecking()
                ? Optional.empty()
                : condition("Invalid", Condition.TRUE).or(() -> condition(ACCEPTED, Condition.FALSE));
    }

    /** Whether the cluster has completed more than its installation. */
    public boolean isUpgraded() {
        return history.stream().filter(Past::completed).count() > 1;
    }

    /**
     * The release before the present one, completed or not: the only one that the cluster version operator goes back to;
     * empty if there is none.
     */
    public Optional<ReleaseName> previous() {
        return history.stream()
                .map(Past::release)
                .filter(release ->
                        !release.version().equals(history.getFirst().release().version()))
                .findFirst();
    }

    /** The message of a condition that has the status. */
    public Optional<ConditionView> condition(String type, String status) {
        return Optional.ofNullable(conditions.get(type))
                .filter(condition -> condition.status().equals(status));
    }
}
