package io.capoa.lab.controller;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Durations of the slow steps of the simulated peers. */
public final class Delays {

    /** A step that takes time, with a duration that resembles a rack of servers. */
    public enum Of {
        /** Metal3Cluster until it is provisioned. */
        INFRASTRUCTURE(Duration.ofSeconds(2)),
        /** A BareMetalHost until its image is written and it boots. */
        PROVISIONING(Duration.ofSeconds(20)),
        /** A host from power-on until its agent registers. */
        BOOT(Duration.ofSeconds(10)),
        /** assisted-service until it has taken over an InfraEnv, or a change of it or of its NMStateConfigs. */
        INFRAENV(Duration.ofSeconds(1)),
        /** assisted-service until a registered host is validated. */
        DISCOVERY(Duration.ofSeconds(5)),
        /** Interval in which assisted-service validates hosts and clusters again. */
        ROUND(Duration.ofSeconds(2)),
        /** Preparing an installation whose requirements are met. */
        PREPARING(Duration.ofSeconds(6)),
        /** Each stage of a host's installation. */
        STAGE(Duration.ofSeconds(3)),
        /** The last operators of a cluster whose hosts are installed. */
        FINALIZING(Duration.ofSeconds(5)),
        /** Each response of the release registry. */
        REGISTRY(Duration.ofMillis(50)),
        /** Each download of a discovery ignition. */
        IGNITION(Duration.ofMillis(50)),
        /** A cluster-version operator until a requested release is retrieved and verified. */
        PAYLOAD(Duration.ofSeconds(5)),
        /** Update of each cluster operator. */
        OPERATOR(Duration.ofSeconds(2)),
        /** Time after which an update that waits for an operator is suspected to fail; zero: only if it is stuck. */
        PATIENCE(Duration.ofSeconds(60)),
        /** Draining each node that gets a new configuration. */
        DRAIN(Duration.ofSeconds(2)),
        /** Reboot of each node that gets a new configuration. */
        REBOOT(Duration.ofSeconds(10)),
        /** Grace period of the node controller until a Node whose kubelet is silent becomes Unknown. */
        GRACE(Duration.ofSeconds(5)),
        /** Time until an etcd member that does not answer degrades ClusterOperator etcd; five minutes in OpenShift. */
        INERTIA(Duration.ofSeconds(30)),
        /** Timeout of Metal3's remediation; zero: that of its strategy, at least 100 s. */
        REMEDIATION(Duration.ofSeconds(60));

        private final Duration real;

        Of(Duration real) {
            this.real = real;
        }

        /** Name of the step in {@code --delay}. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final Map<Of, Duration> delays = new EnumMap<>(Of.class);
    private final Map<String, Delays> namespaces = new ConcurrentHashMap<>();

    /** No delay anywhere. */
    public static Delays none() {
        return new Delays();
    }

    /** Delays of a real data centre, shortened. */
    public static Delays real() {
        Delays delays = new Delays();
        for (Of of : Of.values()) {
            delays.set(of, of.real);
        }
        return delays;
    }

    /**
     * Delays of a real assisted-service and of the hosts that it installs, as recorded: every state lasts long enough to be
     * seen. What the recordings do not show takes no time.
     */
    public static Delays recorded() {
        return none().set(Of.INFRASTRUCTURE, Duration.ofSeconds(3))
                .set(Of.PROVISIONING, Duration.ofSeconds(3))
                .set(Of.BOOT, Duration.ofSeconds(3))
                .set(Of.INFRAENV, Duration.ofSeconds(1))
                .set(Of.ROUND, Of.ROUND.real)
                .set(Of.PREPARING, Duration.ofSeconds(3))
                .set(Of.STAGE, Duration.ofMillis(700))
                .set(Of.FINALIZING, Duration.ofSeconds(6));
    }

    public Delays set(Of of, Duration delay) {
        delays.put(of, delay);
        return this;
    }

    /** Other delays for a namespace, from now on. */
    public Delays set(String namespace, Delays others) {
        namespaces.put(namespace, others);
        return this;
    }

    /** The delays in a namespace. */
    public Delays in(@Nullable String namespace) {
        return namespace == null ? this : namespaces.getOrDefault(namespace, this);
    }

    public Duration get(Of of) {
        return delays.getOrDefault(of, Duration.ZERO);
    }
}
