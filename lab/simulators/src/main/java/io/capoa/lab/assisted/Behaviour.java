package io.capoa.lab.assisted;

import io.capoa.lab.controller.WorkQueue;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Simulated release and outages of the service, by namespace. */
final class Behaviour {

    private static final Duration AGAIN = Duration.ofMillis(100);

    private static final int ONE_IN = 4;

    /** The service's default. */
    private static final Duration HOST_MAX_DISCONNECTION_TIME = Duration.ofMinutes(3);

    private final Map<String, InfraEnvDeletion> deletions = new ConcurrentHashMap<>();
    private final Map<String, Duration> missed = new ConcurrentHashMap<>();
    private final Set<String> down = ConcurrentHashMap.newKeySet();
    private volatile @Nullable HostInstaller installer;

    /** Hosts have no agents: they are installed by this. */
    void installBy(HostInstaller instead) {
        installer = instead;
    }

    /** What installs hosts instead of their agents; {@code null} if these do. */
    @Nullable
    HostInstaller installer() {
        return installer;
    }

    /** Whether the states that only agents and rounds of validations take time for are left out. */
    boolean isBrief() {
        return installer != null;
    }

    void set(String namespace, InfraEnvDeletion deletion) {
        deletions.put(namespace, deletion);
    }

    InfraEnvDeletion of(String namespace) {
        return deletions.getOrDefault(namespace, InfraEnvDeletion.AT_ONCE);
    }

    void missHostsAfter(String namespace, Duration silence) {
        missed.put(namespace, silence);
    }

    /** How long the agent of a host may be silent before the host counts as disconnected. */
    Duration missedAfter(String namespace) {
        return missed.getOrDefault(namespace, HOST_MAX_DISCONNECTION_TIME);
    }

    /** Whether the first write of an Agent conflicts: for one in four, deterministically. */
    boolean meetsConflict(String agent) {
        return Math.floorMod(agent.hashCode(), ONE_IN) == 0;
    }

    void goDown(String namespace) {
        down.add(namespace);
    }

    void comeBack(String namespace) {
        down.remove(namespace);
    }

    /** The same reconciler, which does nothing during an outage in the namespace. */
    WorkQueue.Step whileUp(WorkQueue.Step step) {
        return key -> down.contains(key.namespace()) ? AGAIN : step.work(key);
    }

    /** Blocks a request during an outage in the namespace; agents retry until they get a response. */
    void awaitUp(String namespace) throws InterruptedException {
        while (down.contains(namespace)) {
            Thread.sleep(AGAIN);
        }
    }
}
