package io.capoa.lab.actors;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/** How long the simulated neighbours take for what takes long in a data centre. */
public final class Delays {

    /** A step that takes time; the real duration is what a rack of servers shows, roughly. */
    public enum Of {
        /** Metal3Cluster until it is provisioned. */
        INFRASTRUCTURE(Duration.ofSeconds(2)),
        /** A BareMetalHost until its image is written and it boots. */
        PROVISIONING(Duration.ofSeconds(20)),
        /** A host from power-on until its agent registers. */
        BOOT(Duration.ofSeconds(10)),
        /** assisted-service until an InfraEnv has its URLs. */
        INFRAENV(Duration.ofSeconds(1)),
        /** assisted-service until a registered host is known to be fit. */
        DISCOVERY(Duration.ofSeconds(5)),
        /** Each round in which assisted-service looks at its hosts and clusters again. */
        ROUND(Duration.ofSeconds(2)),
        /** Preparing an installation that has all it needs. */
        PREPARING(Duration.ofSeconds(6)),
        /** Each stage of a host's installation. */
        STAGE(Duration.ofSeconds(3)),
        /** The last operators of a cluster whose hosts are installed. */
        FINALIZING(Duration.ofSeconds(5)),
        /** Each answer of the release registry. */
        REGISTRY(Duration.ofMillis(50)),
        /** Each download of a discovery ignition. */
        IGNITION(Duration.ofMillis(50));

        private final Duration real;

        Of(Duration real) {
            this.real = real;
        }

        /** The word that names it in {@code --delay}. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final Map<Of, Duration> delays = new EnumMap<>(Of.class);

    /** No delay anywhere. */
    public static Delays none() {
        return new Delays();
    }

    /** The delays of a real data centre, shortened to what a person will sit through. */
    public static Delays real() {
        Delays delays = new Delays();
        for (Of of : Of.values()) {
            delays.set(of, of.real);
        }
        return delays;
    }

    public Delays set(Of of, Duration delay) {
        delays.put(of, delay);
        return this;
    }

    public Duration get(Of of) {
        return delays.getOrDefault(of, Duration.ZERO);
    }
}
