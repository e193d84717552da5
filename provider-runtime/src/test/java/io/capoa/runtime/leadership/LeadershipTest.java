package io.capoa.runtime.leadership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.capoa.runtime.logging.TestLoggers;
import io.capoa.runtime.options.ManagerOptions;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import picocli.CommandLine;

/**
 * The requests of an election, and what becomes of a process whose Lease is lost. Every test has a Lease of its own name,
 * by which it knows its lines of the log.
 */
@Execution(ExecutionMode.CONCURRENT)
class LeadershipTest {

    /** Between two requests of a leader, at least. */
    private static final Duration PERIOD = Duration.ofMillis(100);

    private static final Logger LOGGER = TestLoggers.of(Leadership.class.getName());
    private static final AtomicInteger LEASES = new AtomicInteger();

    private final String lease = "lock-%04d".formatted(LEASES.incrementAndGet());

    private final LeaseServer server;
    private final KubernetesClient client;
    private final CountDownLatch won = new CountDownLatch(1);
    private final CountDownLatch lost = new CountDownLatch(1);
    private final List<String> losses = new CopyOnWriteArrayList<>();
    private final Set<Thread> electing = ConcurrentHashMap.newKeySet();
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private Leadership leadership = leadership(Duration.ofSeconds(20), this::lost);

    LeadershipTest() throws IOException {
        server = new LeaseServer();
        client = server.client();
    }

    /** With a Lease that outlasts the renew deadline by far. */
    private Leadership leadership(Duration renewDeadline, Consumer<String> onLoss) {
        return leadership(renewDeadline, PERIOD, onLoss, () -> {
            if (Thread.currentThread().getName().equals("leader-election")) {
                electing.add(Thread.currentThread());
            }
            return System.nanoTime();
        });
    }

    private Leadership leadership(
            Duration renewDeadline, Duration period, Consumer<String> onLoss, LongSupplier clock) {
        var options = new ManagerOptions();
        new CommandLine(options)
                .parseArgs(
                        "--leader-elect-lease-duration=30s",
                        "--leader-elect-renew-deadline=" + renewDeadline.toMillis() + "ms",
                        "--leader-elect-retry-period=" + period.toMillis() + "ms");
        return new Leadership(lease, "space", options, onLoss, clock);
    }

    private void lost(String sentence) {
        losses.add(sentence);
        lost.countDown();
    }

    @BeforeAll
    static void log() {
        LOGGER.setLevel(Level.INFO);
    }

    @AfterAll
    static void stopLog() {
        LOGGER.setLevel(null);
    }

    @BeforeEach
    void listen() {
        lines.list = new CopyOnWriteArrayList<>();
        lines.start();
        LOGGER.addAppender(lines);
    }

    @AfterEach
    void stop() {
        leadership.stopping();
        leadership.release();
        LOGGER.detachAppender(lines);
        server.close();
        client.close();
    }

    private void lead() throws InterruptedException {
        leadership.compete(client, won::countDown);
        assertThat(won.await(10, TimeUnit.SECONDS)).isTrue();
    }

    private List<String> linesWith(String part) {
        return lines.list.stream()
                .map(ILoggingEvent::getFormattedMessage)
                .filter(line -> line.contains(lease) && line.contains(part))
                .toList();
    }

    private boolean isLost() throws InterruptedException {
        return lost.await(10, TimeUnit.SECONDS);
    }

    private long count(String method) {
        return server.requests().stream().filter(method::equals).count();
    }

    /** Waits for this many more requests. */
    private void awaitMore(String method, int more) {
        long enough = count(method) + more;
        await().atMost(Duration.ofSeconds(30)).until(() -> count(method) >= enough);
    }

    /** Waits for the end of the election's thread, which causes all requests. */
    private void awaitEndOfElection() {
        assertThat(electing)
                .allSatisfy(thread ->
                        assertThat(thread.join(Duration.ofSeconds(10))).isTrue());
    }

    @Test
    void aLeader_sendsOneWriteAPeriod_andNoRead() throws Exception {
        long begin = System.nanoTime();
        lead();
        awaitMore("PUT", 8);

        var requests = server.requests();
        assertThat(requests).startsWith("GET", "POST");
        assertThat(requests.subList(2, requests.size())).containsOnly("PUT").hasSizeLessThanOrEqualTo((int)
                Duration.ofNanos(System.nanoTime() - begin).dividedBy(PERIOD));
        assertThat(leadership.isLeading()).isTrue();
        assertThat(linesWith("Leading:")).hasSize(1);
    }

    @Test
    void aLabelOfAnother_survives_withoutTheEndOfLeadership() throws Exception {
        lead();
        server.change(lease -> lease.withObject("/metadata/labels").put("team", "blue"));
        var renewed = server.spec("renewTime");
        await().until(() -> !server.spec("renewTime").equals(renewed));
        awaitMore("PUT", 3);

        assertThat(server.label("team")).isEqualTo("blue");
        assertThat(count("GET")).isEqualTo(2);
        assertThat(losses).isEmpty();
    }

    @Test
    void aDeletedLease_isCreatedAgain() throws Exception {
        lead();
        server.delete();

        await().until(() -> !server.spec("holderIdentity").isEmpty());
        awaitMore("PUT", 3);
        assertThat(losses).isEmpty();
        assertThat(leadership.isLeading()).isTrue();
    }

    @Test
    void anotherHolder_isALoss() throws Exception {
        lead();
        server.change(lease -> lease.withObject("/spec").put("holderIdentity", "other"));

        assertThat(isLost()).isTrue();
        assertThat(losses)
                .containsExactly("Lost lease space/" + lease + ": other holds it; another replica may lead already");
        assertThat(leadership.isLeading()).isFalse();
        assertThat(server.spec("holderIdentity")).isEqualTo("other");
    }

    @Test
    void aRequestThatNeverReturns_isALossByTheDeadline_longBeforeTheLeaseEnds() throws Exception {
        leadership = leadership(Duration.ofSeconds(1), this::lost);
        lead();
        server.hang();

        assertThat(isLost()).isTrue();
        assertThat(losses.getFirst()).contains("could not be renewed for 1000 ms");
        assertThat(linesWith("Cannot update lease space/" + lease + ": no answer in time"))
                .hasSize(1);
    }

    /** By the clock: neither the thread of the election nor the end of the process has to be quick. */
    @Test
    void theLeaderLeadsNoLonger_fromTheDeadlineOn_untilALateRenewalSucceeds() throws Exception {
        var clock = new AtomicLong();
        var deadline = Duration.ofSeconds(20);
        // Long enough for this test to look before the first renewal, and between that and the next.
        leadership = leadership(deadline, Duration.ofSeconds(3), this::lost, clock::get);
        lead();
        assertThat(leadership.isLeading()).isTrue();

        clock.addAndGet(deadline.toNanos() - 1);
        assertThat(leadership.isLeading()).isTrue();
        clock.addAndGet(deadline.toNanos());
        assertThat(count("PUT")).as("the thread of the election sleeps").isZero();
        assertThat(leadership.isLeading()).isFalse();

        await().until(leadership::isLeading);
        assertThat(count("PUT")).isEqualTo(1);
        assertThat(losses).isEmpty();
    }

    @Test
    void failures_areRetriedOnceAPeriod_notByTheClientToo_andNothingIsWrittenAfterTheLoss() throws Exception {
        var deadline = Duration.ofSeconds(4);
        leadership = leadership(deadline, this::lost);
        lead();
        server.fail(503, "overloaded");
        int before = server.requests().size();

        assertThat(isLost()).isTrue();
        int after = server.requests().size();
        // A slow machine sends fewer.
        assertThat(after - before).isBetween(3, (int) deadline.dividedBy(PERIOD) + 1);
        // Once, or again after a request that took too long.
        assertThat(linesWith("Cannot update lease space/" + lease + ": overloaded; trying again"))
                .hasSizeBetween(1, 2);
        awaitEndOfElection();
        assertThat(server.requests()).as("one may have been under way").hasSizeBetween(after, after + 1);
    }

    @Test
    void failuresThatEndInTime_areNoLoss() throws Exception {
        var deadline = Duration.ofSeconds(4);
        leadership = leadership(deadline, this::lost);
        lead();
        server.fail(503, "overloaded");
        awaitMore("PUT", 3);
        server.fail(0, "");
        awaitMore("PUT", (int) deadline.dividedBy(PERIOD) + 1);

        assertThat(losses).isEmpty();
        assertThat(leadership.isLeading()).isTrue();
        assertThat(leadership.problem()).isEmpty();
    }

    @Test
    void aMissingRight_isNamedOnce_makesUnready_andIsTriedAgain() throws Exception {
        server.fail(403, "leases is forbidden");
        leadership.compete(client, won::countDown);
        await().until(() -> count("POST") >= 3);

        assertThat(linesWith("This replica cannot lead"))
                .singleElement()
                .asString()
                .contains(
                        "may not create leases.coordination.k8s.io " + lease
                                + " in namespace space: leases is forbidden",
                        "Grant get, create and update",
                        "leader_election_role.yaml",
                        "--leader-elect-namespace");
        assertThat(leadership.problem()).isPresent();
        server.fail(0, "");
        assertThat(won.await(10, TimeUnit.SECONDS)).isTrue();
        await().until(() -> leadership.problem().isEmpty());
    }

    @Test
    void aMissingNamespace_isNamedOnce() throws Exception {
        server.fail(404, "namespaces \"space\" not found");
        leadership.compete(client, won::countDown);
        await().until(() -> count("POST") >= 3);

        assertThat(linesWith("This replica cannot lead"))
                .singleElement()
                .asString()
                .contains("in namespace space: namespaces \"space\" not found. Create the namespace");
    }

    @Test
    void aStandby_namesTheLeaderOnce_andTakesItsLeaseWhenThatStops() throws Exception {
        lead();
        var second = new CountDownLatch(1);
        var standby = leadership(Duration.ofSeconds(20), losses::add);
        standby.compete(client, second::countDown);
        await().until(() -> !linesWith("Standby: ").isEmpty());
        awaitMore("GET", 3);
        assertThat(linesWith("Standby: ")).hasSize(1);
        assertThat(standby.isLeading()).isFalse();

        leadership.stopping();
        awaitMore("PUT", 3);
        assertThat(leadership.isLeading()).as("reconciles may still end").isTrue();
        leadership.release();

        assertThat(leadership.isLeading()).isFalse();
        assertThat(second.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(server.spec("leaseTransitions")).isEqualTo("1");
        assertThat(losses).isEmpty();
        standby.stopping();
        standby.release();
        assertThat(server.spec("holderIdentity")).isEmpty();
        assertThat(server.spec("leaseDurationSeconds")).isEqualTo("1");
    }

    /** What still reconciles would meet the new leader. */
    @Test
    void aLeaseThatIsLostBeforeTheRelease_isALossToo() throws Exception {
        lead();
        leadership.stopping();
        server.change(lease -> lease.withObject("/spec").put("holderIdentity", "other"));

        assertThat(isLost()).isTrue();
        leadership.release();
        assertThat(server.spec("holderIdentity")).isEqualTo("other");
    }

    @Test
    void theRelease_isOneRequest_andTheLast() throws Exception {
        lead();
        leadership.stopping();
        leadership.release();
        int after = server.requests().size();
        awaitEndOfElection();

        assertThat(server.requests()).hasSize(after).doesNotContain("PATCH");
        assertThat(count("GET")).isEqualTo(1);
        assertThat(server.spec("holderIdentity")).isEmpty();
        assertThat(losses).isEmpty();
    }

    @Test
    void aLabelThatChangesBeforeTheRelease_doesNotPreventIt() throws Exception {
        lead();
        server.change(lease -> lease.withObject("/metadata/labels").put("team", "blue"));
        leadership.stopping();
        leadership.release();

        assertThat(server.spec("holderIdentity")).isEmpty();
        assertThat(server.label("team")).isEqualTo("blue");
    }

    @Test
    void aStandbyThatStops_leavesTheLeaseAlone() throws Exception {
        server.change(lease -> lease.withObject("/spec").put("holderIdentity", "other"));
        leadership.compete(client, won::countDown);
        await().until(() -> !server.requests().isEmpty());
        leadership.stopping();
        leadership.release();
        awaitEndOfElection();

        assertThat(server.requests()).containsOnly("GET");
        assertThat(server.spec("holderIdentity")).isEqualTo("other");
    }

    @Test
    void whoStopsBeforeItCompetes_sendsNothing() throws Exception {
        leadership.stopping();
        leadership.compete(client, won::countDown);
        leadership.release();
        awaitEndOfElection();

        assertThat(server.requests()).isEmpty();
    }

    @Test
    void aFailureToBegin_isTheEnd() throws Exception {
        leadership.compete(client, () -> {
            throw new IllegalStateException("no");
        });

        assertThat(isLost()).isTrue();
        assertThat(losses).containsExactly("Lease space/" + lease + " is of no use: reconciling cannot begin");
    }
}
