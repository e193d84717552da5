package io.capoa.bootstrap.infrastructure;

import io.capoa.api.bootstrap.v1beta1.ConfigConditions;
import io.capoa.api.contract.Agent;
import io.capoa.bootstrap.agent.HostIdentity;
import io.capoa.runtime.status.Blocker;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The infrastructure provider's side of a Machine, as it was read at one time: it decides how the host boots, and until
 * when that can change. The defaults are those of a provider of which only the Cluster API contract is known; one that
 * shows more overrides what it knows. Immutable, and without a client.
 */
public interface Infrastructure {

    /** Infrastructure of which nothing can be read now, with the reason for people. */
    static Infrastructure missing(String why) {
        return new Missing(why);
    }

    /** Why nothing is known of the infrastructure machine; empty where it has been read. */
    default Optional<String> missing() {
        return Optional.empty();
    }

    /**
     * Whether a host has been taken for the Machine: what it boots is then settled.
     *
     * @param registered Agents that booted the Machine's media
     */
    boolean isTaken(List<Agent> registered);

    /** Why no host boots for the Machine yet, with the remedy; empty where nothing is known of that. */
    default Optional<Blocker> hostBlocker() {
        return Optional.empty();
    }

    /** Whether the host boots assisted-service's ISO; else it boots a disk image that reads the bootstrap data. */
    default boolean isLiveIso() {
        return false;
    }

    /** Whether the bootstrap data becomes user data of a cloud, whose size is limited. */
    default boolean hasUserData() {
        return true;
    }

    /** What identifies the Machine's host among the Agents that booted its media. */
    default HostIdentity identity() {
        return new HostIdentity.Nothing("the Machine's infrastructure provider gives it no BareMetalHost");
    }

    /** Names of the labels that the Node gets through its Agent, from {@link Host#hints}, once a host has been taken. */
    default Set<String> nodeLabels() {
        return Set.of();
    }

    /** The infrastructure machine, where {@link #booting} may change it; {@code null} where it is only read. */
    default @Nullable HasMetadata machine() {
        return null;
    }

    /** Why the host never boots what was made for its Machine, with the remedy; empty where nothing is known of that. */
    default Optional<Blocker> bootFailure() {
        return Optional.empty();
    }

    /**
     * JSON merge patch of {@link #machine} that makes its host boot a live ISO.
     *
     * @param isoUrl of the ISO that assisted-service has published for the Machine
     * @return empty if it already does, or does not boot a live ISO
     */
    default Map<String, Object> booting(String isoUrl) {
        return Map.of();
    }

    /**
     * The power of a host that has to stay off from now on; empty where the provider does not manage power.
     *
     * @param unhealthy whether no Machine is to take the host again
     */
    default Optional<HostPower> powerOff(boolean unhealthy) {
        return Optional.empty();
    }

    /** The host that was taken; {@code null} while there is none, or where the provider shows none. */
    default @Nullable Host host() {
        return null;
    }

    /** Infrastructure that is not known: the Machine names no infrastructure machine, or none that can be read. */
    record Missing(String why) implements Infrastructure {

        @Override
        public Optional<String> missing() {
            return Optional.of(why);
        }

        @Override
        public boolean isTaken(List<Agent> registered) {
            return !registered.isEmpty();
        }

        @Override
        public boolean hasUserData() {
            return false;
        }

        @Override
        public Optional<HostPower> powerOff(boolean unhealthy) {
            return Optional.of(HostPower.waiting(why));
        }

        @Override
        public HostIdentity identity() {
            return new HostIdentity.Unknown(new Blocker(ConfigConditions.WAITING_FOR_INFRASTRUCTURE_MACHINE, why));
        }
    }
}
