package io.capoa.runtime.leadership;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.contract.Fields;
import io.capoa.runtime.leadership.LeaseElection.Step;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules of the election, with times in milliseconds: lease duration 15 s, renew deadline 10 s, retry period 2 s. */
class LeaseElectionTest {

    private static final Instant WALL = Instant.parse("2026-05-04T03:02:01Z");
    private static final String ME = "me";
    private static final String OTHER = "other";

    private double random;
    private final LeaseElection election = new LeaseElection(
            "space", "lock", ME, Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(2), () -> random);
    private int version = 1;

    private Step next(long millis) {
        return election.next(TimeUnit.MILLISECONDS.toNanos(millis));
    }

    private void read(@Nullable GenericKubernetesResource lease, long millis) {
        election.read(lease, TimeUnit.MILLISECONDS.toNanos(millis));
    }

    private boolean written(long millis) {
        return election.written(stored(election.claim(WALL)), TimeUnit.MILLISECONDS.toNanos(millis));
    }

    private void failed(int code, long millis) {
        election.failed(code, TimeUnit.MILLISECONDS.toNanos(millis));
    }

    private long due() {
        return TimeUnit.NANOSECONDS.toMillis(election.due());
    }

    /** As the API server answers to a write. */
    private GenericKubernetesResource stored(GenericKubernetesResource claim) {
        var stored = new GenericKubernetesResource();
        stored.setApiVersion(claim.getApiVersion());
        stored.setKind(claim.getKind());
        stored.setMetadata(new ObjectMetaBuilder(claim.getMetadata())
                .withResourceVersion(String.valueOf(version++))
                .build());
        stored.setAdditionalProperties(new LinkedHashMap<>(claim.getAdditionalProperties()));
        return stored;
    }

    private GenericKubernetesResource heldBy(String holder, String renewTime, Object... more) {
        var spec = new LinkedHashMap<String, Object>(Map.of("holderIdentity", holder, "renewTime", renewTime));
        for (int i = 0; i < more.length; i += 2) {
            spec.put((String) more[i], more[i + 1]);
        }
        var lease = new GenericKubernetesResource();
        lease.setMetadata(
                new ObjectMetaBuilder().withNamespace("space").withName("lock").build());
        lease.setAdditionalProperty("spec", spec);
        return stored(lease);
    }

    /** Holds the Lease since 0. */
    private void lead() {
        assertThat(next(0)).isEqualTo(Step.READ);
        read(null, 0);
        assertThat(next(0)).isEqualTo(Step.WRITE);
        assertThat(written(1)).isTrue();
    }

    private static Object spec(GenericKubernetesResource lease, String field) {
        return String.valueOf(Fields.any(lease, "spec", field));
    }

    @Test
    void anAbsentLease_isCreated_withAllFields() {
        assertThat(next(0)).isEqualTo(Step.READ);
        read(null, 5);
        assertThat(next(5)).isEqualTo(Step.WRITE);
        assertThat(election.creates()).isTrue();

        var claim = election.claim(WALL);

        assertThat(claim.getMetadata().getNamespace()).isEqualTo("space");
        assertThat(claim.getMetadata().getName()).isEqualTo("lock");
        assertThat(claim.<Map<String, Object>>get("spec"))
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "holderIdentity",
                        ME,
                        "leaseDurationSeconds",
                        15,
                        "acquireTime",
                        "2026-05-04T03:02:01.000000Z",
                        "renewTime",
                        "2026-05-04T03:02:01.000000Z",
                        "leaseTransitions",
                        0));
        assertThat(election.isLeading()).isFalse();
        assertThat(written(7)).isTrue();
        assertThat(election.isLeading()).isTrue();
    }

    @Test
    void aLeader_writesOnceAPeriod_withTheVersionOfTheLastAnswer_andReadsNothing() {
        lead();
        for (int i = 1; i <= 30; i++) {
            assertThat(due()).isEqualTo(2_000L * i);
            assertThat(next(2_000L * i - 1)).isEqualTo(Step.WAIT);
            assertThat(next(2_000L * i)).isEqualTo(Step.WRITE);
            assertThat(election.creates()).isFalse();
            assertThat(election.claim(WALL).getMetadata().getResourceVersion()).isEqualTo(String.valueOf(i));
            assertThat(written(2_000L * i + 300)).isFalse();
        }
    }

    @Test
    void aRenewal_changesTheRenewTimeAlone_andKeepsWhatOthersAdded() {
        assertThat(next(0)).isEqualTo(Step.READ);
        var lease =
                heldBy("", "2020-01-01T00:00:00.000000Z", "leaseTransitions", 4, "strategy", "OldestEmulationVersion");
        lease.getMetadata().setLabels(Map.of("team", "blue"));
        lease.getMetadata().setAnnotations(Map.of("note", "x"));
        lease.setAdditionalProperty("later", "field");
        read(lease, 1);
        assertThat(next(1)).isEqualTo(Step.WRITE);
        written(2);
        next(2_001);

        var claim = election.claim(WALL.plusSeconds(2));

        assertThat(claim.getMetadata().getLabels()).containsEntry("team", "blue");
        assertThat(claim.getMetadata().getAnnotations()).containsEntry("note", "x");
        assertThat(claim.<String>get("later")).isEqualTo("field");
        assertThat(spec(claim, "strategy")).isEqualTo("OldestEmulationVersion");
        assertThat(spec(claim, "acquireTime")).isEqualTo("2026-05-04T03:02:01.000000Z");
        assertThat(spec(claim, "renewTime")).isEqualTo("2026-05-04T03:02:03.000000Z");
        assertThat(spec(claim, "leaseTransitions")).isEqualTo("5");
    }

    @Test
    void aReleasedLease_isTakenAtOnce() {
        next(0);
        read(heldBy("", "2026-05-04T03:02:01.000000Z", "leaseDurationSeconds", 1), 1);

        assertThat(next(1)).isEqualTo(Step.WRITE);
        assertThat(election.creates()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"1970-01-01T00:00:00.000000Z", "2999-01-01T00:00:00.000000Z"})
    void whateverTheClockOfTheHolderSays_aLeaseThatChanges_isNeverTaken(String begin) {
        var renewed = Instant.parse(begin);
        next(0);
        for (long now = 0; now < 600_000; now = due()) {
            assertThat(next(now)).isEqualTo(Step.READ);
            renewed = renewed.plusMillis(1);
            read(heldBy(OTHER, renewed.toString(), "leaseDurationSeconds", 15), now);
            assertThat(next(now)).isEqualTo(Step.WAIT);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"1970-01-01T00:00:00.000000Z", "2999-01-01T00:00:00.000000Z"})
    void aLeaseThatDoesNotChange_isTakenAfterItsOwnDuration_notEarlier(String renewed) {
        for (long now = 0; now < 40_000; now = due()) {
            assertThat(next(now)).isEqualTo(Step.READ);
            // Answered half a second later: from then on it is known.
            read(heldBy(OTHER, renewed, "leaseDurationSeconds", 40), now + 500);
            assertThat(next(now + 500)).isEqualTo(Step.WAIT);
        }
        assertThat(next(41_000)).isEqualTo(Step.READ);
        read(heldBy(OTHER, renewed, "leaseDurationSeconds", 40, "leaseTransitions", 7), 41_000);
        assertThat(next(41_000)).as("a change").isEqualTo(Step.WAIT);
        assertThat(next(81_001)).isEqualTo(Step.READ);
        read(heldBy(OTHER, renewed, "leaseDurationSeconds", 40, "leaseTransitions", 7), 81_001);
        assertThat(next(81_001)).isEqualTo(Step.WRITE);
        assertThat(spec(election.claim(WALL), "leaseTransitions")).isEqualTo("8");
        assertThat(spec(election.claim(WALL), "acquireTime")).isEqualTo("2026-05-04T03:02:01.000000Z");
        assertThat(spec(election.claim(WALL), "leaseDurationSeconds")).isEqualTo("15");
    }

    @Test
    void withoutADuration_theOwnOneCounts() {
        next(0);
        read(heldBy(OTHER, "x"), 0);
        next(14_000);
        read(heldBy(OTHER, "x"), 14_999);
        assertThat(next(14_999)).isEqualTo(Step.WAIT);
        next(17_000);
        read(heldBy(OTHER, "x"), 17_000);
        assertThat(next(17_000)).isEqualTo(Step.WRITE);
    }

    @Test
    void aStandby_pausesForOnePeriodAndUpToOnePointTwoMore() {
        next(0);
        read(heldBy(OTHER, "x"), 100);
        assertThat(due()).isEqualTo(2_100);
        random = 1;
        assertThat(next(2_100)).isEqualTo(Step.READ);
        read(heldBy(OTHER, "y"), 2_100);
        assertThat(due()).isEqualTo(2_100 + 4_400);
    }

    @Test
    void whoeverIsQuicker_leads_andTheOtherKeepsWaiting() {
        next(0);
        read(null, 1);
        next(1);
        failed(409, 2);

        assertThat(next(2)).isEqualTo(Step.WAIT);
        assertThat(next(due())).isEqualTo(Step.READ);
        read(heldBy(OTHER, "x"), 3_000);
        assertThat(next(3_000)).isEqualTo(Step.WAIT);
        assertThat(election.holder()).isEqualTo(OTHER);
    }

    @Test
    void aClaimWhoseAnswerWasLost_isConfirmedByTheNextRead() {
        next(0);
        read(null, 1);
        next(1);
        var claim = election.claim(WALL);
        failed(0, 5_001);
        assertThat(next(due())).isEqualTo(Step.READ);
        read(stored(claim), 7_001);

        assertThat(next(7_001)).isEqualTo(Step.WRITE);
        assertThat(spec(election.claim(WALL), "leaseTransitions")).isEqualTo("0");
        assertThat(written(7_002)).isTrue();
    }

    @Test
    void aChangedLabel_isAConflict_thatIsReadAndRenewedAtOnce() {
        lead();
        next(2_000);
        failed(409, 2_001);
        assertThat(next(2_001)).isEqualTo(Step.READ);
        var changed = stored(election.claim(WALL));
        changed.getAdditionalProperties().putAll(heldBy(ME, "x").getAdditionalProperties());
        changed.getMetadata().setLabels(Map.of("team", "blue"));
        read(changed, 2_002);

        assertThat(next(2_002)).isEqualTo(Step.WRITE);
        var claim = election.claim(WALL);
        assertThat(claim.getMetadata().getLabels()).containsEntry("team", "blue");
        assertThat(claim.getMetadata().getResourceVersion())
                .isEqualTo(changed.getMetadata().getResourceVersion());
        assertThat(written(2_003)).isFalse();
        assertThat(election.isLeading()).isTrue();
        assertThat(due()).isEqualTo(4_000);
    }

    @Test
    void conflictsInARow_areFollowedOnceAPeriod() {
        lead();
        next(2_000);
        failed(409, 2_001);
        next(2_001);
        read(heldBy(ME, "x"), 2_002);
        next(2_002);
        failed(409, 2_003);

        assertThat(next(2_003)).isEqualTo(Step.WAIT);
        assertThat(due()).isEqualTo(4_000);
        assertThat(next(4_000)).as("the version is not known").isEqualTo(Step.READ);
    }

    @ParameterizedTest
    @ValueSource(ints = {404, 409})
    void aDeletedLease_isCreatedAgain(int code) {
        lead();
        next(2_000);
        failed(code, 2_001);
        assertThat(next(2_001)).isEqualTo(Step.READ);
        read(null, 2_002);

        assertThat(next(2_002)).isEqualTo(Step.WRITE);
        assertThat(election.creates()).isTrue();
        assertThat(election.claim(WALL).getMetadata().getResourceVersion()).isNull();
        assertThat(written(2_003)).isFalse();
        assertThat(election.isLeading()).isTrue();
    }

    @Test
    void anotherHolder_isTheEndOfLeadership_atOnce() {
        lead();
        next(2_000);
        failed(409, 2_001);
        next(2_001);
        read(heldBy(OTHER, "x"), 2_002);

        assertThat(next(2_002)).isEqualTo(Step.LOST);
        assertThat(election.isLeading()).isFalse();
        assertThat(election.lossReason()).isEqualTo("other holds it");
        assertThat(next(100_000)).as("for good").isEqualTo(Step.LOST);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, 401, 403, 429, 500, 503})
    void otherFailures_areRetriedOnceAPeriod_untilTheDeadlineOfTheLastRenewal(int code) {
        lead();
        assertThat(next(2_000)).isEqualTo(Step.WRITE);
        // Sent at 2 s, answered at 4.5 s: the deadline counts from 2 s.
        written(4_500);
        for (long now = 4_500; now < 12_000; now += 2_000) {
            assertThat(next(now)).as("at %d", now).isEqualTo(Step.WRITE);
            failed(code, now + 10);
            assertThat(next(now + 10)).isEqualTo(Step.WAIT);
            assertThat(due()).isEqualTo(Math.min(now + 2_000, 12_000));
        }
        assertThat(next(11_999)).isEqualTo(Step.WAIT);
        assertThat(election.isLeading()).isTrue();
        assertThat(next(12_000)).isEqualTo(Step.LOST);
        assertThat(election.lossReason()).isEqualTo("it could not be renewed for 10000 ms");
    }

    @Test
    void aRequestThatHangs_isGivenUp_beforeTheDeadline() {
        lead();
        assertThat(next(2_000)).isEqualTo(Step.WRITE);
        assertThat(patience()).as("time for a second attempt").isEqualTo(5_000);
        failed(0, 7_000);
        assertThat(next(7_000)).isEqualTo(Step.WRITE);
        assertThat(patience()).isEqualTo(3_000);
        failed(0, 10_000);
        assertThat(next(10_000)).isEqualTo(Step.LOST);
    }

    private long patience() {
        return TimeUnit.NANOSECONDS.toMillis(election.patience());
    }

    private long certainUntil() {
        return TimeUnit.NANOSECONDS.toMillis(election.certainUntil());
    }

    /** A process that had no time for a renewal, for example because it was suspended, asks before it gives up. */
    @Test
    void aStarvedLeader_mayNotWrite_butLeadsOn_whenTheLeaseIsStillIts() {
        lead();
        assertThat(certainUntil()).isEqualTo(10_000);
        assertThat(next(300_000)).isEqualTo(Step.WRITE);
        assertThat(patience()).isEqualTo(5_000);
        assertThat(written(300_100)).isFalse();

        assertThat(election.isLeading()).isTrue();
        assertThat(certainUntil()).isEqualTo(310_000);
        assertThat(next(301_000)).isEqualTo(Step.WAIT);
    }

    @Test
    void aStarvedLeader_thatComesForItsAnswerTooLate_asksAgain() {
        lead();
        assertThat(next(2_000)).isEqualTo(Step.WRITE);
        failed(0, 60_000);
        assertThat(next(60_000)).isEqualTo(Step.WRITE);
        failed(0, 65_000);

        assertThat(next(65_000)).as("this request failed in its time").isEqualTo(Step.LOST);
    }

    @Test
    void aStarvedLeader_whoseLeaseAnotherHolds_hasLostIt() {
        lead();
        next(300_000);
        failed(409, 300_010);
        assertThat(next(300_010)).isEqualTo(Step.READ);
        read(heldBy(OTHER, "x"), 300_020);

        assertThat(next(300_020)).isEqualTo(Step.LOST);
        assertThat(election.lossReason()).isEqualTo("other holds it");
    }

    /** Another replica may have led and stopped since. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aStarvedLeader_whoseLeaseHasNoHolder_hasLostIt(boolean deleted) {
        lead();
        next(300_000);
        failed(deleted ? 404 : 409, 300_010);
        assertThat(next(300_010)).isEqualTo(Step.READ);
        read(deleted ? null : heldBy("", "x"), 300_020);

        assertThat(next(300_020)).isEqualTo(Step.LOST);
        assertThat(election.lossReason()).contains("released or deleted");
    }

    @Test
    void aStarvedLeader_whoseLeaseGotALabel_leadsOn() {
        lead();
        next(300_000);
        failed(409, 300_010);
        next(300_010);
        read(heldBy(ME, "x"), 300_020);
        assertThat(next(300_020)).isEqualTo(Step.WRITE);
        assertThat(written(300_030)).isFalse();

        assertThat(election.isLeading()).isTrue();
    }

    @Test
    void aRenewalAfterFailures_setsTheDeadlineAnew() {
        lead();
        next(2_000);
        failed(503, 2_001);
        next(4_000);
        failed(503, 4_001);
        assertThat(next(6_000)).isEqualTo(Step.WRITE);
        written(6_001);

        assertThat(next(15_999)).isEqualTo(Step.WRITE);
    }

    /** While the holder writes, its deadline ends before the wait of any standby that saw the result. */
    @Test
    void aLeaderStopsWriting_beforeAStandbyTakesOver() {
        lead();
        next(2_000);
        written(2_001);
        var standby = new LeaseElection(
                "space", "lock", OTHER, Duration.ofSeconds(1), Duration.ofMillis(900), Duration.ofMillis(100), () -> 0);
        var held = election.lease();
        long taken = -1;
        for (long now = 2_000; taken < 0; now += 10) {
            Step step = standby.next(TimeUnit.MILLISECONDS.toNanos(now));
            if (step == Step.READ) {
                standby.read(held, TimeUnit.MILLISECONDS.toNanos(now));
            } else if (step == Step.WRITE) {
                taken = now;
            }
        }
        assertThat(taken).as("the Lease names 15 s, the standby's flags 1 s").isGreaterThanOrEqualTo(17_000);
        assertThat(certainUntil()).isEqualTo(12_000);
    }

    @Test
    void aReleasedLease_hasNoHolder_andKeepsTheRest() {
        lead();
        var held = election.lease();
        assertThat(held).isNotNull();
        held.getMetadata().setLabels(Map.of("team", "blue"));

        var released = election.released(held, WALL);

        assertThat(spec(released, "holderIdentity")).isEqualTo("");
        assertThat(spec(released, "leaseDurationSeconds")).isEqualTo("1");
        assertThat(released.getMetadata().getLabels()).containsEntry("team", "blue");
        assertThat(released.getMetadata().getResourceVersion()).isEqualTo("1");
    }

    @Test
    void aDurationOfPartsOfASecond_isRoundedUp() {
        var brief = new LeaseElection(
                "space", "lock", ME, Duration.ofMillis(4_001), Duration.ofSeconds(2), Duration.ofMillis(500), () -> 0);

        assertThat(spec(brief.claim(WALL), "leaseDurationSeconds")).isEqualTo("5");
    }
}
