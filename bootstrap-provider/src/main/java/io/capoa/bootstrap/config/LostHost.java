package io.capoa.bootstrap.config;

import io.capoa.api.Annotations;
import io.capoa.api.bootstrap.v1beta1.ConfigConditions;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigStatus;
import io.capoa.api.conditions.Condition;
import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.AgentClusterInstallView;
import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.BareMetalHostView;
import io.capoa.api.contract.Metal3Machine;
import io.capoa.bootstrap.agent.AgentFields;
import io.capoa.bootstrap.boot.Infrastructure;
import io.capoa.runtime.status.Blocker;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A host that booted before or during the installation of its cluster and never registered. assisted-service refuses
 * new hosts during an installation, and a refused agent waits forever; after a reboot it tries again.
 *
 * @param blocker what happened and what to do; replaces "no host has reported"
 * @param reboot patch for the BareMetalHost; empty if it is not to be rebooted
 * @param again requeue delay, because no event shows that the time is over
 */
record LostHost(
        Optional<Blocker> blocker,
        Map<String, Object> reboot,
        @Nullable Duration again) {

    static final LostHost NONE = new LostHost(Optional.empty(), Map.of(), null);

    /** What a reboot that was not asked for is recorded as. */
    static final String AUTOMATIC = "automatic";

    /** State of a cluster that is installed and takes further hosts. */
    private static final String TAKES_HOSTS = "adding-hosts";

    /** Nothing is lost with the power: the host runs the discovery image, and has never answered. */
    private static final String HARD = "{\"mode\":\"hard\"}";

    /**
     * Decides.
     *
     * @param patience how long a host may take from the end of its provisioning until it registers
     */
    static LostHost of(ConfigObservation seen, Duration patience, Instant now) {
        if (!(seen.infrastructure() instanceof Infrastructure.Metal3 metal3)
                || !(seen.owner() instanceof Owner.Of owner)
                || metal3.host() == null
                || seen.paused()
                || owner.isGoing()
                || !seen.ownsInfraEnv()
                || seen.nodeName() != null
                || !isPoweredOn(metal3.host())) {
            return NONE;
        }
        String request = seen.annotation(Annotations.REBOOT_HOST);
        if (request != null && !isRecorded(metal3.host(), seen, request)) {
            Optional<LostHost> requested = requested(seen, metal3, request);
            if (requested.isPresent()) {
                return requested.get();
            }
        }
        return seen.latched() && seen.agents().isEmpty() ? unregistered(seen, metal3, patience, now) : NONE;
    }

    /** On request also where a host has registered, as long as nothing has been begun with it; empty where it is not done. */
    private static Optional<LostHost> requested(ConfigObservation seen, Infrastructure.Metal3 metal3, String request) {
        BareMetalHost host = Objects.requireNonNull(metal3.host());
        boolean begun = seen.agents().stream().anyMatch(agent -> !AgentFields.isOpen(agent));
        if (begun || obstacle(seen, metal3.machine(), host).isPresent()) {
            return Optional.empty();
        }
        return Optional.of(
                takesHosts(seen.install())
                        ? new LostHost(Optional.empty(), reboot(seen, request), null)
                        : new LostHost(
                                Optional.of(new Blocker(
                                        ConfigConditions.WAITING_FOR_INSTALL_COMPLETE,
                                        "BareMetalHost " + name(host) + " will be rebooted, as annotation "
                                                + Annotations.REBOOT_HOST
                                                + " requests, once the cluster is installed and accepts hosts: before that"
                                                + " assisted-service would reject it")),
                                Map.of(),
                                null));
    }

    private static LostHost unregistered(
            ConfigObservation seen, Infrastructure.Metal3 metal3, Duration patience, Instant now) {
        BareMetalHost host = Objects.requireNonNull(metal3.host());
        Instant booted = booted(host);
        Instant installed = installed(seen.install());
        Instant given = booted != null
                ? booted
                : seen.dataSecret() == null
                        ? null
                        : time(seen.dataSecret().getMetadata().getCreationTimestamp());
        if (!takesHosts(seen.install()) || installed == null || given == null || given.isAfter(installed)) {
            return NONE;
        }
        Instant late = given.plus(patience);
        if (now.isBefore(late)) {
            return new LostHost(Optional.empty(), Map.of(), Duration.between(now, late));
        }
        Optional<String> obstacle = obstacle(seen, metal3.machine(), host)
                .or(() -> booted == null || !hasNeverRegistered(seen, booted)
                        ? Optional.of("it may have registered before")
                        : Optional.empty());
        String record = annotation(host, Annotations.REBOOTED_FOR);
        boolean done = record != null && record.startsWith(prefix(seen));
        boolean reboots = !done && obstacle.isEmpty();
        return new LostHost(
                Optional.of(blocker(seen, host, done, reboots, obstacle)),
                reboots ? reboot(seen, AUTOMATIC) : Map.of(),
                null);
    }

    private static Blocker blocker(
            ConfigObservation seen, BareMetalHost host, boolean done, boolean reboots, Optional<String> obstacle) {
        String what = "BareMetalHost " + name(host)
                + " booted for this Machine before the installation of the cluster had finished, and has not registered:"
                + " assisted-service accepts no new host during an installation, and the agent does not retry. ";
        String remedy = "kubectl annotate openshiftassistedconfig "
                + seen.config().getMetadata().getName() + " -n " + seen.namespace() + " --overwrite "
                + Annotations.REBOOT_HOST + "=<a value that was not there before>";
        String next = reboots
                ? "It is rebooted"
                : done
                        ? "It has been rebooted. If it still does not register, check its console and"
                                + " network, and reboot it again with: " + remedy
                        : "It is not rebooted automatically (" + obstacle.orElse("") + "). Reboot it with: " + remedy;
        return new Blocker(ConfigConditions.HOST_NOT_REGISTERED, what + next);
    }

    /** Why the host is not to be touched, not on request either. */
    private static Optional<String> obstacle(ConfigObservation seen, Metal3Machine machine, BareMetalHost host) {
        boolean its = machine.getMetadata()
                        .getName()
                        .equals(BareMetalHostView.of(host).consumerName())
                && "Metal3Machine".equals(BareMetalHostView.of(host).consumerKind());
        boolean deleting = host.getMetadata().getDeletionTimestamp() != null
                || machine.getMetadata().getDeletionTimestamp() != null
                || (seen.cluster() != null && seen.cluster().getMetadata().getDeletionTimestamp() != null);
        return !its
                ? Optional.of("its spec.consumerRef does not name Metal3Machine "
                        + machine.getMetadata().getName())
                : deleting
                        ? Optional.of("it, its Metal3Machine or its Cluster is being deleted")
                        : List.of(Annotations.HOST_DETACHED, Annotations.HOST_PAUSED).stream()
                                .filter(annotation -> annotation(host, annotation) != null)
                                .findFirst()
                                .map(annotation -> "it has annotation " + annotation)
                                .or(() -> isBeingRebooted(host)
                                        ? Optional.of("a reboot has been asked for already")
                                        : Optional.empty());
    }

    private static boolean isBeingRebooted(BareMetalHost host) {
        Map<String, String> annotations = host.getMetadata().getAnnotations();
        return annotations != null
                && annotations.keySet().stream()
                        .anyMatch(name ->
                                name.equals(Annotations.HOST_REBOOT) || name.startsWith(Annotations.HOST_REBOOT + "/"));
    }

    private static Map<String, Object> reboot(ConfigObservation seen, String reason) {
        return Map.of(
                "metadata",
                Map.of(
                        "annotations",
                        Map.of(Annotations.HOST_REBOOT, HARD, Annotations.REBOOTED_FOR, prefix(seen) + reason)));
    }

    private static boolean isRecorded(BareMetalHost host, ConfigObservation seen, String request) {
        return (prefix(seen) + request).equals(annotation(host, Annotations.REBOOTED_FOR));
    }

    private static String prefix(ConfigObservation seen) {
        return seen.config().getMetadata().getUid() + "/";
    }

    /** That it has not is older than its boot: the condition has been False all the time. */
    private static boolean hasNeverRegistered(ConfigObservation seen, Instant booted) {
        OpenshiftAssistedConfigStatus status = seen.config().getStatus();
        return status != null
                && status.conditions() != null
                && status.conditions().stream()
                        .filter(condition -> condition.type().equals(ConfigConditions.AGENT_REGISTERED))
                        .anyMatch(condition -> {
                            Instant since = time(condition.lastTransitionTime());
                            return condition.status().equals(Condition.FALSE)
                                    && since != null
                                    && !since.isAfter(booted);
                        });
    }

    private static boolean isPoweredOn(BareMetalHost host) {
        BareMetalHostView view = BareMetalHostView.of(host);
        return view.isProvisioned() && view.isPoweredOn();
    }

    private static boolean takesHosts(@Nullable AgentClusterInstall install) {
        return TAKES_HOSTS.equals(AgentClusterInstallView.of(install).state());
    }

    /** When the host was last provisioned, and so booted what was made for the Machine. */
    private static @Nullable Instant booted(BareMetalHost host) {
        return time(BareMetalHostView.of(host).provisionedAt());
    }

    private static @Nullable Instant installed(@Nullable AgentClusterInstall install) {
        return time(AgentClusterInstallView.of(install).completedAt().orElse(null));
    }

    private static @Nullable Instant time(@Nullable String text) {
        try {
            return text == null ? null : Instant.parse(text);
        } catch (DateTimeParseException unreadable) {
            return null;
        }
    }

    private static @Nullable String annotation(BareMetalHost host, String name) {
        Map<String, String> annotations = host.getMetadata().getAnnotations();
        return annotations == null ? null : annotations.get(name);
    }

    private static String name(BareMetalHost host) {
        return host.getMetadata().getNamespace() + "/" + host.getMetadata().getName();
    }
}
