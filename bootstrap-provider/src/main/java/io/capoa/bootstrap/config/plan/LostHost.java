package io.capoa.bootstrap.config.plan;

import io.capoa.api.Annotations;
import io.capoa.api.bootstrap.v1beta1.ConfigConditions;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigStatus;
import io.capoa.api.conditions.Condition;
import io.capoa.bootstrap.agent.AgentFields;
import io.capoa.bootstrap.config.observe.ConfigObservation;
import io.capoa.bootstrap.config.observe.InstallFacts;
import io.capoa.bootstrap.config.observe.Owner;
import io.capoa.bootstrap.infrastructure.Host;
import io.capoa.runtime.status.Blocker;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A host that cannot register by itself. It booted before or during the installation of its cluster: assisted-service
 * refuses new hosts during an installation, and a refused agent waits forever; after a reboot it tries again. Or it was
 * given an image that is not the live ISO of its Machine.
 *
 * @param blocker what happened and what to do; replaces "no host has reported"
 * @param patch for the host's object, which reboots it or gives it its live ISO; empty if it is left alone
 * @param again requeue delay, because no event shows that the time is over
 */
public record LostHost(
        Optional<Blocker> blocker,
        Map<String, Object> patch,
        @Nullable Duration again) {

    static final LostHost NONE = new LostHost(Optional.empty(), Map.of(), null);

    /** What a reboot that was not asked for is recorded as. */
    static final String AUTOMATIC = "automatic";

    /**
     * Decides.
     *
     * @param patience how long a host may take from the end of its provisioning until it registers
     */
    public static LostHost of(ConfigObservation seen, Duration patience, Instant now) {
        Host host = seen.infrastructure().host();
        if (!(seen.owner() instanceof Owner.Of owner)
                || host == null
                || seen.paused()
                || owner.isGoing()
                || !seen.ownsInfraEnv()
                || seen.nodeName() != null) {
            return NONE;
        }
        Map<String, Object> image = image(seen, host);
        if (!image.isEmpty()) {
            return new LostHost(Optional.empty(), image, null);
        }
        return host.running(isClusterDeleted(seen))
                .map(running -> ofRunning(seen, host, running, patience, now))
                .orElse(NONE);
    }

    private static Map<String, Object> image(ConfigObservation seen, Host host) {
        String iso = seen.media().iso();
        return iso != null && seen.agents().isEmpty() && !isClusterDeleted(seen) ? host.booting(iso) : Map.of();
    }

    private static LostHost ofRunning(
            ConfigObservation seen, Host host, Host.Running running, Duration patience, Instant now) {
        String request = seen.annotation(Annotations.REBOOT_HOST);
        if (request != null && !(prefix(seen) + request).equals(running.rebootedFor())) {
            Optional<LostHost> requested = requested(seen, host, running, request);
            if (requested.isPresent()) {
                return requested.get();
            }
        }
        return seen.latched() && seen.agents().isEmpty() ? unregistered(seen, host, running, patience, now) : NONE;
    }

    /** On request also where a host has registered, as long as nothing has been begun with it; empty where it is not done. */
    private static Optional<LostHost> requested(
            ConfigObservation seen, Host host, Host.Running running, String request) {
        boolean begun = seen.agents().stream().anyMatch(agent -> !AgentFields.isOpen(agent));
        if (begun || running.obstacle().isPresent()) {
            return Optional.empty();
        }
        return Optional.of(
                takesHosts(seen.install())
                        ? new LostHost(Optional.empty(), host.reboot(prefix(seen) + request), null)
                        : new LostHost(
                                Optional.of(new Blocker(
                                        ConfigConditions.WAITING_FOR_INSTALL_COMPLETE,
                                        name(host) + " will be rebooted, as annotation " + Annotations.REBOOT_HOST
                                                + " requests, once the cluster is installed and accepts hosts: before that"
                                                + " assisted-service would reject it")),
                                Map.of(),
                                null));
    }

    private static LostHost unregistered(
            ConfigObservation seen, Host host, Host.Running running, Duration patience, Instant now) {
        Instant booted = running.booted();
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
        Optional<String> obstacle = running.obstacle()
                .or(() -> booted == null || !hasNeverRegistered(seen, booted)
                        ? Optional.of("it may have registered before")
                        : Optional.empty());
        String record = running.rebootedFor();
        boolean done = record != null && record.startsWith(prefix(seen));
        boolean reboots = !done && obstacle.isEmpty();
        return new LostHost(
                Optional.of(blocker(seen, host, done, reboots, obstacle)),
                reboots ? host.reboot(prefix(seen) + AUTOMATIC) : Map.of(),
                null);
    }

    private static Blocker blocker(
            ConfigObservation seen, Host host, boolean done, boolean reboots, Optional<String> obstacle) {
        String what = name(host)
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

    private static boolean isClusterDeleted(ConfigObservation seen) {
        return seen.cluster() != null && seen.cluster().getMetadata().getDeletionTimestamp() != null;
    }

    private static boolean takesHosts(@Nullable InstallFacts install) {
        return install != null && install.takesHosts();
    }

    private static @Nullable Instant installed(@Nullable InstallFacts install) {
        return install == null ? null : time(install.completedAt());
    }

    private static @Nullable Instant time(@Nullable String text) {
        try {
            return text == null ? null : Instant.parse(text);
        } catch (DateTimeParseException unreadable) {
            return null;
        }
    }

    private static String name(Host host) {
        HasMetadata object = host.object();
        return object.getKind() + " " + object.getMetadata().getNamespace() + "/"
                + object.getMetadata().getName();
    }
}
