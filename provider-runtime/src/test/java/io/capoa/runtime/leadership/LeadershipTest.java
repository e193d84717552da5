package io.capoa.runtime.leadership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.capoa.runtime.options.ManagerOptions;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;

/** The requests of an election, and what becomes of a process whose Lease is lost. */
class LeadershipTest {

    private final LeaseServer server;
    private final KubernetesClient client;
    private final CountDownLatch won = new CountDownLatch(1);
    private final CountDownLatch lost = new CountDownLatch(1);
    private final List<String> losses = new CopyOnWriteArrayList<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger(Leadership.class);
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final Leadership leadership = leadership(sentence -> {
        losses.add(sentence);
        lost.countDown();
    });

    LeadershipTest() throws IOException {
        server = new LeaseServer();
        client = server.client();
    }

    private static Leadership leadership(Consumer<String> onLoss) {
        var options = new ManagerOptions();
        new CommandLine(options)
                .parseArgs(
                        "--leader-elect-lease-duration=2s",
                        "--leader-elect-renew-deadline=1s",
                        "--leader-elect-retry-period=100ms");
        return new Leadership("lock", "space", options, onLoss);
    }

    @BeforeEach
    void listen() {
        lines.start();
        logger.setLevel(Level.INFO);
        logger.addAppender(lines);
    }

    @AfterEach
    void stop() {
        leadership.stopping();
        leadership.release();
        logger.detachAppender(lines);
        logger.setLevel(null);
        server.close();
        client.close();
    }

    private void lead() throws InterruptedException {
        leadership.compete(client, won::countDown);
        assertThat(won.await(10, TimeUnit.SECONDS)).isTrue();
    }

    private List<String> linesWith(String part) {
        return List.copyOf(lines.list).stream()
                .map(ILoggingEvent::getFormattedMessage)
                .filter(line -> line.contains(part))
                .toList();
    }

    private static void sleep(int millis) throws InterruptedException {
        Thread.sleep(millis);
    }

    @Test
    void aLeader_sendsOneWriteAPeriod_andNoRead() throws Exception {
        lead();
        sleep(1_050);

        assertThat(server.requests()).startsWith("GET", "POST");
        assertThat(server.requests().subList(2, server.requests().size()))
                .containsOnly("PUT")
                .hasSizeBetween(5, 10);
        assertThat(leadership.isLeading()).isTrue();
        assertThat(linesWith("Leading:")).hasSize(1);
    }

    @Test
    void aLabelOfAnother_survives_withoutTheEndOfLeadership() throws Exception {
        lead();
        server.change(lease -> lease.withObject("/metadata/labels").put("team", "blue"));
        var renewed = server.spec("renewTime");
        await().until(() -> !server.spec("renewTime").equals(renewed));
        sleep(300);

        assertThat(server.label("team")).isEqualTo("blue");
        assertThat(server.requests().stream().filter("GET"::equals)).hasSize(2);
        assertThat(losses).isEmpty();
    }

    @Test
    void aDeletedLease_isCreatedAgain() throws Exception {
        lead();
        server.delete();

        await().until(() -> !server.spec("holderIdentity").isEmpty());
        sleep(300);
        assertThat(losses).isEmpty();
        assertThat(leadership.isLeading()).isTrue();
    }

    @Test
    void anotherHolder_isALoss() throws Exception {
        lead();
        server.change(lease -> lease.withObject("/spec").put("holderIdentity", "other"));

        assertThat(lost.await(1, TimeUnit.SECONDS)).isTrue();
        assertThat(losses).containsExactly("Lost lease space/lock: other holds it; another replica may lead already");
        assertThat(leadership.isLeading()).isFalse();
        assertThat(server.spec("holderIdentity")).isEqualTo("other");
    }

    @Test
    void aRequestThatNeverReturns_isALossByTheDeadline() throws Exception {
        lead();
        long begin = System.nanoTime();
        server.hang();

        assertThat(lost.await(5, TimeUnit.SECONDS)).isTrue();
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofMillis(1_300));
        assertThat(losses.getFirst()).contains("could not be renewed for 1000 ms");
        assertThat(linesWith("no answer in time")).hasSize(1);
    }

    @Test
    void failures_areRetriedOnceAPeriod_notByTheClientToo_andNothingIsWrittenAfterTheLoss() throws Exception {
        lead();
        int before = server.requests().size();
        server.fail(503, "overloaded");

        assertThat(lost.await(5, TimeUnit.SECONDS)).isTrue();
        int after = server.requests().size();
        assertThat(after - before).isBetween(5, 11);
        assertThat(linesWith("Cannot update lease space/lock: overloaded; trying again"))
                .hasSize(1);
        sleep(500);
        assertThat(server.requests()).hasSize(after);
    }

    @Test
    void failuresThatEndInTime_areNoLoss() throws Exception {
        lead();
        server.fail(503, "overloaded");
        sleep(500);
        server.fail(0, "");
        sleep(1_000);

        assertThat(losses).isEmpty();
        assertThat(leadership.isLeading()).isTrue();
        assertThat(leadership.problem()).isEmpty();
    }

    @Test
    void aMissingRight_isNamedOnce_makesUnready_andIsTriedAgain() throws Exception {
        server.fail(403, "leases is forbidden");
        leadership.compete(client, won::countDown);
        await().until(() -> server.requests().stream().filter("POST"::equals).count() >= 3);

        assertThat(linesWith("This replica cannot lead"))
                .singleElement()
                .asString()
                .contains(
                        "may not create leases.coordination.k8s.io lock in namespace space: leases is forbidden",
                        "Grant get, create and update",
                        "leader_election_role.yaml",
                        "--leader-elect-namespace");
        assertThat(leadership.problem()).isPresent();
        server.fail(0, "");
        assertThat(won.await(5, TimeUnit.SECONDS)).isTrue();
        await().until(() -> leadership.problem().isEmpty());
    }

    @Test
    void aMissingNamespace_isNamedOnce() throws Exception {
        server.fail(404, "namespaces \"space\" not found");
        leadership.compete(client, won::countDown);
        await().until(() -> server.requests().stream().filter("POST"::equals).count() >= 3);

        assertThat(linesWith("This replica cannot lead"))
                .singleElement()
                .asString()
                .contains("in namespace space: namespaces \"space\" not found. Create the namespace");
    }

    @Test
    void aStandby_namesTheLeaderOnce_andTakesItsLeaseWhenThatStops() throws Exception {
        lead();
        var second = new CountDownLatch(1);
        var standby = leadership(losses::add);
        standby.compete(client, second::countDown);
        await().until(() -> !linesWith("Standby: ").isEmpty());
        sleep(500);
        assertThat(linesWith("Standby: ")).hasSize(1);
        assertThat(standby.isLeading()).isFalse();

        leadership.stopping();
        sleep(300);
        assertThat(leadership.isLeading()).as("reconciles may still end").isTrue();
        leadership.release();

        assertThat(leadership.isLeading()).isFalse();
        assertThat(second.await(1, TimeUnit.SECONDS)).isTrue();
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

        assertThat(lost.await(1, TimeUnit.SECONDS)).isTrue();
        leadership.release();
        assertThat(server.spec("holderIdentity")).isEqualTo("other");
    }

    @Test
    void theRelease_isOneRequest_andTheLast() throws Exception {
        lead();
        leadership.stopping();
        leadership.release();
        int after = server.requests().size();
        sleep(300);

        assertThat(server.requests()).hasSize(after).doesNotContain("PATCH");
        assertThat(server.requests().stream().filter("GET"::equals)).hasSize(1);
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
        sleep(300);

        assertThat(server.requests()).containsOnly("GET");
        assertThat(server.spec("holderIdentity")).isEqualTo("other");
    }

    @Test
    void whoStopsBeforeItCompetes_sendsNothing() throws Exception {
        leadership.stopping();
        leadership.compete(client, won::countDown);
        leadership.release();
        sleep(200);

        assertThat(server.requests()).isEmpty();
    }

    @Test
    void aFailureToBegin_isTheEnd() throws Exception {
        leadership.compete(client, () -> {
            throw new IllegalStateException("no");
        });

        assertThat(lost.await(5, TimeUnit.SECONDS)).isTrue();
        assertThat(losses).containsExactly("Lease space/lock is of no use: reconciling cannot begin");
    }
}
