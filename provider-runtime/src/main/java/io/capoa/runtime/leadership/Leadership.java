package io.capoa.runtime.leadership;

import io.capoa.runtime.leadership.LeaseElection.Step;
import io.capoa.runtime.options.ManagerOptions;
import io.capoa.runtime.threads.VirtualThreads;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leader election of this replica: sends the requests that {@link LeaseElection} decides on. A lost Lease ends the process
 * at once; a planned stop clears the holder, so that a standby takes over without waiting.
 *
 * <p>Whatever the rest of the process does, renewals go on: they have platform threads and connections of their own.
 * Whether this replica leads is a question of the clock, not of a thread that notices.
 *
 * <p>Needs get, create and update on Leases of its namespace.
 */
public final class Leadership {

    private static final Logger log = LoggerFactory.getLogger(Leadership.class);

    /**
     * For what renewals need. No virtual threads: reconciles that keep all carriers busy must not delay a renewal or the end
     * of leadership. A thread that mostly sleeps runs soon on a busy machine; Linux gives no higher priority without a
     * privilege.
     */
    public static final ThreadFactory THREADS =
            Thread.ofPlatform().daemon().name("lease-request").factory();

    private static final int RELEASE_ATTEMPTS = 3;

    private final String leaseName;
    private final String leaseNamespace;
    private final String identity = newIdentity();
    private final Duration renewDeadline;
    private final LeaseElection election;
    private final Consumer<String> onLoss;
    private final LongSupplier clock;
    private volatile boolean leading;
    private volatile long certainUntil;
    private volatile boolean stopping;
    private volatile boolean releasing;
    private volatile Optional<String> problem = Optional.empty();
    private volatile @Nullable LeaseRequests requests;
    private volatile @Nullable GenericKubernetesResource seen;
    private @Nullable Thread thread;
    private String reported = "";
    private String announced = "";

    /**
     * @param onLoss gets a sentence when the Lease is lost unplanned; must end the process without delay
     */
    public Leadership(String leaseName, String leaseNamespace, ManagerOptions options, Consumer<String> onLoss) {
        this(leaseName, leaseNamespace, options, onLoss, System::nanoTime);
    }

    /** @param clock monotonic, in nanoseconds */
    Leadership(
            String leaseName,
            String leaseNamespace,
            ManagerOptions options,
            Consumer<String> onLoss,
            LongSupplier clock) {
        this.clock = clock;
        this.leaseName = leaseName;
        this.leaseNamespace = leaseNamespace;
        this.renewDeadline = options.renewDeadline();
        this.onLoss = onLoss;
        this.election = new LeaseElection(
                leaseNamespace,
                leaseName,
                identity,
                options.leaseDuration(),
                options.renewDeadline(),
                options.retryPeriod(),
                () -> ThreadLocalRandom.current().nextDouble());
    }

    /**
     * Begins to compete for the Lease, unless the process stops already.
     *
     * @param connected shares no connection and no thread with other work
     * @param onLeading called once, on a thread of its own, when the Lease is won
     */
    public synchronized void compete(KubernetesClient connected, Runnable onLeading) {
        if (stopping) {
            return;
        }
        requests = new LeaseRequests(connected, leaseNamespace, leaseName, renewDeadline.dividedBy(2));
        thread = THREADS.newThread(() -> run(onLeading));
        thread.setName("leader-election");
        thread.start();
    }

    /**
     * Whether this replica may write: it holds the Lease, and nobody else can have taken it by now. Between two renewals
     * it can become false and, when a late one succeeds, true again.
     */
    public boolean isLeading() {
        return leading && clock.getAsLong() - certainUntil < 0;
    }

    /** Why this replica can never lead, with the remedy; empty when nothing is known to be in its way. */
    public Optional<String> problem() {
        return problem;
    }

    /** The Lease as the API server answered last; empty before and while there is none. */
    public Optional<GenericKubernetesResource> lease() {
        return Optional.ofNullable(seen);
    }

    /** This replica's name as holder of the Lease. */
    public String identity() {
        return identity;
    }

    /** From now on this replica takes no Lease; one that it holds is renewed until {@link #release}. */
    public synchronized void stopping() {
        stopping = true;
        wake();
    }

    /** Gives the Lease back when it is ours; call when nothing reconciles any more. */
    public synchronized void release() {
        releasing = true;
        var competing = thread;
        if (competing == null) {
            return;
        }
        wake();
        try {
            if (competing.join(renewDeadline) && election.isLeading()) {
                release(election.lease());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            leading = false;
        }
    }

    private void release(@Nullable GenericKubernetesResource known) {
        for (int attempt = 1; attempt <= RELEASE_ATTEMPTS; attempt++) {
            try {
                var held = attempt > 1 || known == null ? requests().read().orElse(null) : known;
                if (held != null && election.isHolder(held)) {
                    var unused = requests().write(election.released(held, Instant.now()), false);
                    log.info("Released lease {}/{}", leaseNamespace, leaseName);
                }
                return;
            } catch (KubernetesClientException e) {
                // A conflict is a change by another writer, or a renewal whose answer was lost: look again.
                if (e.getCode() != HttpURLConnection.HTTP_CONFLICT || attempt == RELEASE_ATTEMPTS) {
                    log.warn("Could not release lease {}/{}; it runs out by itself", leaseNamespace, leaseName, e);
                    return;
                }
            }
        }
    }

    private void run(Runnable onLeading) {
        try {
            while (!releasing) {
                long now = clock.getAsLong();
                Step step = election.next(now);
                if (step == Step.LOST) {
                    leading = false;
                    onLoss.accept("Lost lease " + leaseNamespace + "/" + leaseName + ": " + election.lossReason()
                            + "; another replica may lead already");
                    return;
                }
                if (stopping && !election.isLeading()) {
                    return;
                }
                if (step == Step.WAIT) {
                    LockSupport.parkNanos(this, election.due() - now);
                } else {
                    send(step, election.patience(), onLeading);
                }
            }
        } catch (RuntimeException | Error | InterruptedException e) {
            leading = false;
            log.error("Leader election failed", e);
            onLoss.accept("Leader election for lease " + leaseNamespace + "/" + leaseName + " failed: " + e);
        }
    }

    /** The request has a thread of its own: whatever it hangs in, its time is bounded. */
    private void send(Step step, long patience, Runnable onLeading) throws InterruptedException {
        boolean creates = election.creates();
        var verb = step == Step.READ ? "get" : creates ? "create" : "update";
        var request = new FutureTask<>(request(step, creates));
        THREADS.newThread(request).start();
        try {
            var answer = request.get(patience, TimeUnit.NANOSECONDS);
            if (step == Step.READ) {
                election.read(answer.orElse(null), clock.getAsLong());
            } else {
                boolean won = election.written(answer.orElseThrow(), clock.getAsLong());
                certainUntil = election.certainUntil();
                if (won) {
                    won(onLeading);
                }
            }
            seen = election.lease();
            answered(step);
        } catch (ExecutionException e) {
            failed(verb, e.getCause() == null ? e : e.getCause());
        } catch (TimeoutException e) {
            request.cancel(true);
            failed(verb, e);
        }
    }

    private Callable<Optional<GenericKubernetesResource>> request(Step step, boolean creates) {
        if (step == Step.READ) {
            return requests()::read;
        }
        var claim = election.claim(Instant.now());
        return () -> Optional.of(requests().write(claim, creates));
    }

    private void won(Runnable onLeading) {
        if (stopping) {
            return;
        }
        leading = true;
        log.info("Leading: {} holds lease {}/{}", identity, leaseNamespace, leaseName);
        VirtualThreads.start("leading", () -> {
            try {
                onLeading.run();
            } catch (RuntimeException | Error e) {
                log.error("Reconciling cannot begin", e);
                onLoss.accept("Lease " + leaseNamespace + "/" + leaseName + " is of no use: reconciling cannot begin");
            }
        });
    }

    /** A read that leads to a write says nothing about failures of the write. */
    private void answered(Step step) {
        if (step == Step.WRITE || election.isWaiting()) {
            problem = Optional.empty();
            reported = "";
        }
        var holder = election.holder();
        if (!holder.isEmpty() && !holder.equals(announced)) {
            announced = holder;
            if (!holder.equals(identity)) {
                log.info("Standby: {} holds lease {}/{}", holder, leaseNamespace, leaseName);
            }
        }
    }

    private void failed(String verb, Throwable failure) {
        int code = failure instanceof KubernetesClientException e ? e.getCode() : 0;
        election.failed(code, clock.getAsLong());
        if (code == HttpURLConnection.HTTP_CONFLICT
                || (code == HttpURLConnection.HTTP_NOT_FOUND && verb.equals("update"))) {
            return;
        }
        var lasting = LeaseFailure.lasting(verb, leaseNamespace, leaseName, code, LeaseFailure.message(failure));
        if (lasting.isPresent()) {
            problem = lasting;
        }
        var sentence = lasting.orElseGet(() -> "Cannot " + verb + " lease " + leaseNamespace + "/" + leaseName + ": "
                + LeaseFailure.message(failure) + "; trying again");
        if (!sentence.equals(reported)) {
            reported = sentence;
            if (lasting.isPresent()) {
                log.error(sentence);
            } else {
                log.warn(sentence);
            }
            log.debug("Cause", failure);
        }
    }

    private LeaseRequests requests() {
        return Objects.requireNonNull(requests, "made before the thread that uses it");
    }

    private void wake() {
        if (thread != null) {
            LockSupport.unpark(thread);
        }
    }

    /** Host name (in a pod its name) and something unique, as two processes may share a host. */
    private static String newIdentity() {
        var host = System.getenv("HOSTNAME");
        return (host == null || host.isBlank() ? "manager" : host) + "_" + UUID.randomUUID();
    }
}
