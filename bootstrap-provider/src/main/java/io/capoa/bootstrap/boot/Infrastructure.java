package io.capoa.bootstrap.boot;

import io.capoa.api.Annotations;
import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Metal3Machine;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What provides a Machine's host: it decides how that host boots, and until when that can still be changed. */
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

        private static final String LIVE_ISO = "live-iso";

        @Override
        public boolean isTaken() {
            return takenHost(machine) != null;
        }

        /** By its image's {@code diskFormat}, which version v1beta1 calls {@code format}. */
        @Override
        public boolean isLiveIso() {
            return LIVE_ISO.equals(Fields.string(machine, "spec", "image", "diskFormat"))
                    || LIVE_ISO.equals(Fields.string(machine, "spec", "image", "format"));
        }

        /** What to merge into the Metal3Machine so that its host boots the ISO; empty when it says so already. */
        public Map<String, Object> booting(String isoUrl) {
            return isoUrl.equals(Fields.string(machine, "spec", "image", "url"))
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
