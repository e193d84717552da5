package io.capoa.bootstrap.boot;

import io.capoa.api.Annotations;
import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.Metal3Machine;
import io.capoa.api.contract.Metal3MachineView;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The infrastructure provider's side of a Machine: it decides how the host boots, and until when that can change.
 */
public sealed interface Infrastructure {

    /** Whether a host has been taken for the Machine: what it boots is then settled. */
    boolean isTaken();

    /** Whether the host boots assisted-service's ISO; else it boots a disk image that reads the bootstrap data. */
    default boolean isLiveIso() {
        return false;
    }

    /** Not known: the Machine names nothing, or nothing that is there. */
    record Missing(String message) implements Infrastructure {
        @Override
        public boolean isTaken() {
            return false;
        }
    }

    /** Some other provider's machine: nothing is known of it, its host boots with the bootstrap data. */
    record Other(boolean isTaken) implements Infrastructure {}

    /**
     * A Metal3Machine.
     *
     * @param host its BareMetalHost, {@code null} while it has taken none, or none that is seen
     */
    record Metal3(Metal3Machine machine, @Nullable BareMetalHost host) implements Infrastructure {

        @Override
        public boolean isTaken() {
            return takenHost(machine) != null;
        }

        @Override
        public boolean isLiveIso() {
            return Metal3MachineView.of(machine).isLiveIso();
        }

        /** Patch of the Metal3Machine that makes its host boot the ISO; empty if it already does. */
        public Map<String, Object> booting(String isoUrl) {
            return isoUrl.equals(Metal3MachineView.of(machine).imageUrl())
                    ? Map.of()
                    : Map.of("spec", Map.of("image", Map.of("url", isoUrl)));
        }

        /** {@code namespace/name} of the BareMetalHost that a Metal3Machine has taken (Metal3's annotation). */
        public static @Nullable String takenHost(Metal3Machine machine) {
            Map<String, String> annotations = machine.getMetadata().getAnnotations();
            return annotations == null ? null : annotations.get(Annotations.BARE_METAL_HOST);
        }
    }
}
