package io.capoa.lab.pods;

import io.capoa.lab.cluster.ChildProcess;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.IntOrString;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One container of a pod: its successive processes and their exits. Used by one thread at a time. */
final class ContainerRun {

    /**
     * Exit of a process.
     *
     * @param message of the container; empty without
     */
    record Ended(int code, String reason, String message, Instant started, Instant finished) {}

    private final Container container;
    private final List<Container> siblings;
    private final Runnable changed;
    private final RestartBackoff backoff;
    private final TerminationMessage message;

    private volatile @Nullable ChildProcess process;
    private volatile SortedMap<Integer, Integer> ports = new TreeMap<>();
    private volatile @Nullable Probes probes;
    private Instant started = Instant.MIN;
    private @Nullable Ended last;
    private Waiting waiting = Waiting.creating("");
    private volatile String ending = "";
    private int starts;

    /**
     * @param siblings all containers of the pod, including this one
     * @param changed called when the state has changed
     */
    ContainerRun(
            Container container,
            List<Container> siblings,
            RestartBackoff backoff,
            TerminationMessage message,
            Runnable changed) {
        this.container = container;
        this.message = message;
        this.siblings = siblings;
        this.backoff = backoff;
        this.changed = changed;
    }

    Container container() {
        return container;
    }

    TerminationMessage message() {
        return message;
    }

    boolean isRunning() {
        return process != null;
    }

    Optional<ChildProcess> process() {
        return Optional.ofNullable(process);
    }

    Instant started() {
        return started;
    }

    Optional<Ended> last() {
        return Optional.ofNullable(last);
    }

    /** Why no process is running. */
    Waiting waiting() {
        return waiting;
    }

    int restarts() {
        return Math.max(0, starts - 1);
    }

    boolean hasStarted() {
        Probes asked = probes;
        return process != null && asked != null && asked.started();
    }

    boolean isReady() {
        Probes asked = probes;
        return process != null && ending.isEmpty() && asked != null && asked.ready();
    }

    SortedMap<Integer, Integer> ports() {
        return ports;
    }

    /** The loopback port of a container port; empty while the container is not running. */
    OptionalInt port(int containerPort) {
        Integer mapped = ports.get(containerPort);
        return process == null || mapped == null ? OptionalInt.empty() : OptionalInt.of(mapped);
    }

    /** Sets the reason that is reported while no process is running. */
    void waitFor(Waiting reason) {
        waiting = reason;
    }

    /** Returns the exit of a process, once. */
    Optional<Ended> takeEnd() {
        ChildProcess running = process;
        if (running == null || running.isAlive()) {
            return Optional.empty();
        }
        ChildProcess.Exit exit = running.exit();
        String reason = ending.isEmpty() ? exit.code() == 0 ? "Completed" : "Error" : ending;
        Ended ended = new Ended(exit.code(), reason, message.read(exit.code(), exit.log()), started, Instant.now());
        closeProbes();
        process = null;
        ending = "";
        last = ended;
        backoff.ended(ended.started(), ended.finished());
        return Optional.of(ended);
    }

    /** The back-off until the next start; zero if it may start now. */
    Duration pause(Instant now) {
        return backoff.left(now);
    }

    void start(Launch launch) {
        ports = launch.ports();
        started = Instant.now();
        starts++;
        ChildProcess child = launch.command().start(exit -> {});
        process = child;
        var unused = child.ended().thenRun(changed);
        probes = new Probes(container, this::loopback, changed);
    }

    /** Returns the reason of a restart by a probe, once. */
    Optional<String> takeFailure() {
        Probes asked = probes;
        return asked == null || !ending.isEmpty() ? Optional.empty() : asked.failure();
    }

    /** Terminates the process; the reason is reported after the exit. */
    void end(String reason) {
        ChildProcess running = process;
        if (running != null && ending.isEmpty()) {
            ending = reason;
            closeProbes();
            running.stopping();
        }
    }

    /** Kills the process; the reason is reported after the exit. */
    void kill(String reason) {
        ChildProcess running = process;
        if (running != null) {
            ending = reason;
            closeProbes();
            ProcessHandle.of(running.pid()).ifPresent(ProcessHandle::destroyForcibly);
        }
    }

    private void closeProbes() {
        Probes asked = probes;
        if (asked != null) {
            asked.close();
        }
    }

    private int loopback(IntOrString port) {
        OptionalInt number = PodParts.port(siblings, port);
        return number.isPresent() ? ports.getOrDefault(number.getAsInt(), number.getAsInt()) : 0;
    }
}
