package io.capoa.lab.assisted;

import io.capoa.lab.actors.Loop;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Which release of the service is simulated for a namespace, and whether the service is down for it. */
final class Behaviour {

    private static final Duration AGAIN = Duration.ofMillis(100);

    private static final int ONE_IN = 4;

    private final Map<String, InfraEnvDeletion> deletions = new ConcurrentHashMap<>();
    private final Set<String> down = ConcurrentHashMap.newKeySet();

    void set(String namespace, InfraEnvDeletion deletion) {
        deletions.put(namespace, deletion);
    }

    InfraEnvDeletion of(String namespace) {
        return deletions.getOrDefault(namespace, InfraEnvDeletion.AT_ONCE);
    }

    /** Whether the service meets a conflict when it first writes an Agent: one in four, always the same. */
    boolean meetsConflict(String agent) {
        return Math.floorMod(agent.hashCode(), ONE_IN) == 0;
    }

    void goDown(String namespace) {
        down.add(namespace);
    }

    void comeBack(String namespace) {
        down.remove(namespace);
    }

    /** The step, which rests while the service is down for the namespace. */
    Loop.Step whileUp(Loop.Step step) {
        return key -> down.contains(key.namespace()) ? AGAIN : step.work(key);
    }

    /** Holds a request back while the service is down for the namespace: an agent repeats it until it is answered. */
    void awaitUp(String namespace) throws InterruptedException {
        while (down.contains(namespace)) {
            Thread.sleep(AGAIN);
        }
    }
}
