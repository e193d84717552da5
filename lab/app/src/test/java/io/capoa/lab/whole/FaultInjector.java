package io.capoa.lab.whole;

import io.capoa.lab.cluster.AuditLog;
import io.capoa.lab.cluster.Tool;
import io.capoa.lab.endurance.EnduranceReport;
import io.capoa.lab.endurance.Fault;
import io.capoa.lab.endurance.Invariants;
import io.capoa.lab.pods.LocalNode.RunningContainer;
import io.capoa.lab.provider.Provider;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Reads the audit log as it grows, passes it to the invariants, and strikes as the plan says. */
final class FaultInjector implements AutoCloseable {

    private static final long PULSE_MILLIS = 20;
    /** A provider that writes less is struck all the same. */
    private static final Duration LONGEST_REST = Duration.ofSeconds(15);

    private final WholeLab lab;
    private final Invariants invariants;
    private final EnduranceReport report;
    private final Supplier<String> underFire;
    private final Thread reader;
    private final Thread striker;
    private AuditLog.Mark read;
    private int held;
    private volatile boolean over;
    private volatile int struck;

    /**
     * Starts.
     *
     * @param underFire what goes on, for the report
     */
    FaultInjector(
            WholeLab lab,
            Invariants invariants,
            Stream<Fault> faults,
            EnduranceReport report,
            Supplier<String> underFire) {
        this.lab = lab;
        this.invariants = invariants;
        this.report = report;
        this.underFire = underFire;
        this.read = lab.audit().mark();
        this.reader = Thread.ofPlatform().name("audit log").start(() -> {
            while (!over && pause()) {
                readOn();
            }
        });
        Iterator<Fault> plan = faults.iterator();
        this.striker = Thread.ofPlatform().name("faults").start(() -> {
            while (!over && strike(plan.next())) {
                // The next one.
            }
        });
    }

    /** Passes what has been logged until now to the invariants. */
    synchronized void readOn() {
        read = lab.audit().read(read, invariants::accept);
    }

    /** No faults until as many calls of {@link #release}. */
    synchronized void hold() {
        held++;
    }

    synchronized void release() {
        held--;
    }

    /** Number of faults so far. */
    int struck() {
        return struck;
    }

    synchronized boolean isHeld() {
        return held > 0;
    }

    /** No more faults. */
    void cease() throws InterruptedException {
        over = true;
        striker.join();
        reader.join();
        readOn();
    }

    @Override
    public void close() {
        over = true;
    }

    /** Strikes when its time has come; whether to go on. */
    private boolean strike(Fault fault) {
        long rested = System.nanoTime();
        int from = invariants.writes(fault.provider().user());
        int seen = from;
        while (isHeld() || (seen - from < fault.afterWrites() && System.nanoTime() - rested < LONGEST_REST.toNanos())) {
            if (over || !pause()) {
                return false;
            }
            seen = invariants.writes(fault.provider().user());
        }
        String hit = underFire.get();
        String effect = effect(fault);
        struck = fault.number();
        report.count("fault " + fault.kind(), 1);
        if (!fault.kind().isKill()) {
            report.count("freezes and outages", 1);
        }
        report.event("%s fault %d, %s, during %s: %s after %d writes"
                .formatted(Instant.now(), fault.number(), fault, hit, effect, seen - from));
        return true;
    }

    private String effect(Fault fault) {
        try {
            return switch (fault.kind()) {
                case KILL_LEADER -> killLeader(fault.provider(), true);
                case KILL_LEADER_AND_KEEP_LEASE -> killLeader(fault.provider(), false);
                case KILL_STANDBY -> killStandbys(fault.provider());
                case KILL_ALL -> kill(lab.running(fault.provider()));
                case FREEZE_LEADER ->
                    leader(fault.provider())
                            .map(leader -> freeze(leader.pid(), leader.pod(), fault.length()))
                            .orElse("no replica led");
                case KILL_API_SERVER -> kill(Tool.KUBE_APISERVER);
                case KILL_ETCD -> kill(Tool.ETCD);
                case FREEZE_API_SERVER ->
                    freeze(lab.pid(Tool.KUBE_APISERVER), Tool.KUBE_APISERVER.executable(), fault.length());
                case INTERRUPT_WORKLOADS -> {
                    lab.peers().workloads().interrupt(fault.length());
                    yield "interrupted";
                }
            };
        } catch (KubernetesClientException unreachable) {
            return "the API server did not say which process to hit";
        }
    }

    /** Or one that would lead soon, if the last one is dead. */
    private String killLeader(Provider provider, boolean withLease) {
        Optional<RunningContainer> leader = leader(provider);
        String killed = kill(leader.or(() -> lab.running(provider).stream().findFirst()).stream()
                .toList());
        if (withLease && leader.isPresent()) {
            lab.admin().leases().inNamespace(provider.namespace()).delete();
        }
        return killed;
    }

    private String killStandbys(Provider provider) {
        String leading = leader(provider).map(RunningContainer::pod).orElse("");
        return kill(lab.running(provider).stream()
                .filter(container -> !container.pod().equals(leading))
                .toList());
    }

    /** Kills processes and removes their pods: others take their place without the back-off of a restarted container. */
    private String kill(List<RunningContainer> containers) {
        containers.forEach(container -> kill(container.pid()));
        for (RunningContainer container : containers) {
            var unused = lab.admin()
                    .pods()
                    .inNamespace(container.namespace())
                    .withName(container.pod())
                    .withGracePeriod(0)
                    .delete();
        }
        return "killed " + containers.stream().map(RunningContainer::pod).toList();
    }

    private void kill(long pid) {
        if (ProcessHandle.of(pid).map(ProcessHandle::destroyForcibly).orElse(false)) {
            report.count("kills", 1);
        }
    }

    private String kill(Tool part) {
        kill(lab.pid(part));
        return "killed " + part.executable();
    }

    private Optional<RunningContainer> leader(Provider provider) {
        List<String> holders = lab.admin().leases().inNamespace(provider.namespace()).list().getItems().stream()
                .map(Lease::getSpec)
                .map(spec -> String.valueOf(spec.getHolderIdentity()))
                .toList();
        return lab.running(provider).stream()
                .filter(container -> holders.stream().anyMatch(holder -> holder.startsWith(container.pod() + "_")))
                .findFirst();
    }

    private String freeze(long pid, String name, Duration time) {
        signal("STOP", pid);
        try {
            TimeUnit.MILLISECONDS.sleep(time.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            signal("CONT", pid);
        }
        return "froze " + name;
    }

    private static void signal(String signal, long pid) {
        try {
            var unused = new ProcessBuilder("kill", "-" + signal, Long.toString(pid))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new IllegalStateException("no kill here", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether to go on. */
    private static boolean pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(PULSE_MILLIS);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
