package io.capoa.lab.pods;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Probe;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Runs the startup, readiness and liveness probes of one container from its start until {@link #close()}.
 *
 * <p>Until a container is ready for the first time, it is probed more often than specified, to avoid delays; failures
 * still count once per period.
 */
final class Probes implements AutoCloseable {

    private static final Duration EAGER = Duration.ofMillis(50);

    private final Container container;
    private final ToIntFunction<IntOrString> ports;
    private final Runnable changed;
    private final Thread first;
    private volatile @Nullable Thread second;
    private volatile boolean started;
    private volatile boolean ready;
    private volatile @Nullable String failure;

    /**
     * @param ports maps a container port to its loopback port
     * @param changed called when one of the results has changed
     */
    Probes(Container container, ToIntFunction<IntOrString> ports, Runnable changed) {
        this.container = container;
        this.ports = ports;
        this.changed = changed;
        this.first = Thread.ofVirtual().name("probes-" + container.getName()).start(this::run);
    }

    /** Whether the startup probe has succeeded. */
    boolean started() {
        return started;
    }

    boolean ready() {
        return ready;
    }

    /** Why the container has to be restarted. */
    Optional<String> failure() {
        return Optional.ofNullable(failure);
    }

    @Override
    public void close() {
        first.interrupt();
        Thread other = second;
        if (other != null) {
            other.interrupt();
        }
    }

    private void run() {
        try {
            Probe startup = container.getStartupProbe();
            if (startup != null && Check.isKnown(startup) && !starts(startup)) {
                return;
            }
            started = true;
            Probe liveness = container.getLivenessProbe();
            if (liveness != null && Check.isKnown(liveness)) {
                second = Thread.ofVirtual()
                        .name("liveness-" + container.getName())
                        .start(() -> untilClosed(() -> follow(liveness, false)));
            }
            Probe readiness = container.getReadinessProbe();
            if (readiness != null && Check.isKnown(readiness)) {
                changed.run();
                follow(readiness, true);
            } else {
                ready = true;
                changed.run();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean starts(Probe probe) throws InterruptedException {
        Thread.sleep(seconds(probe.getInitialDelaySeconds(), 0));
        Check check = new Check(probe, ports);
        Instant latest = Instant.now().plus(period(probe).multipliedBy(threshold(probe)));
        while (true) {
            Optional<String> problem = check.problem();
            if (problem.isEmpty()) {
                return true;
            }
            if (!Instant.now().isBefore(latest)) {
                fail("Startup probe failed: " + problem.get());
                return false;
            }
            Thread.sleep(EAGER);
        }
    }

    /** Probes until closed: readiness may change several times, liveness fails once. */
    private void follow(Probe probe, boolean readiness) throws InterruptedException {
        Thread.sleep(seconds(probe.getInitialDelaySeconds(), 0));
        Check check = new Check(probe, ports);
        int wanted = readiness ? Objects.requireNonNullElse(probe.getSuccessThreshold(), 1) : 1;
        int successes = 0;
        int failures = 0;
        boolean everWell = !readiness;
        while (true) {
            Optional<String> problem = check.problem();
            successes = problem.isEmpty() ? successes + 1 : 0;
            failures = problem.isEmpty() ? 0 : failures + 1;
            if (readiness && (successes >= wanted || failures >= threshold(probe)) && ready != problem.isEmpty()) {
                ready = problem.isEmpty();
                everWell = true;
                changed.run();
            } else if (!readiness && failures >= threshold(probe)) {
                fail("Liveness probe failed: " + problem.orElse(""));
                return;
            }
            Thread.sleep(everWell ? period(probe) : EAGER);
        }
    }

    private void fail(String why) {
        failure = why;
        changed.run();
    }

    private interface Interruptible {
        void run() throws InterruptedException;
    }

    private static void untilClosed(Interruptible work) {
        try {
            work.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static Duration period(Probe probe) {
        return seconds(probe.getPeriodSeconds(), 10);
    }

    private static int threshold(Probe probe) {
        return Objects.requireNonNullElse(probe.getFailureThreshold(), 3);
    }

    private static Duration seconds(@Nullable Integer value, int otherwise) {
        return Duration.ofSeconds(value == null ? otherwise : value);
    }

    /** Reports unsupported probes. */
    static void tellUnknown(Container container, Consumer<String> tell) {
        if (PodParts.probes(container).stream().anyMatch(probe -> !Check.isKnown(probe))) {
            tell.accept("container %s has a probe that is neither httpGet nor tcpSocket: this node takes it as met"
                    .formatted(container.getName()));
        }
    }
}
