package io.capoa.controlplane.upgrade;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.controlplane.v1beta1.UpgradeSettings;
import io.capoa.controlplane.release.DistributionVersion;
import io.capoa.lab.upgrade.Observation;
import io.capoa.lab.upgrade.OperatorFault;
import io.capoa.lab.upgrade.UpdateRequest;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Histories in any order: requests by the spec and by {@code oc}, withdrawn and superseded ones, refusals, gates, failures,
 * pools, and a provider that decides on old states and is restarted. It never writes a release that the spec does not name,
 * never the same twice, never a lower one without consent, and leaves no request behind.
 */
class UpgradePropertyTest {

    private static final int RUNS = 800;
    private static final int EVENTS = 100;
    private static final List<String> RELEASES =
            List.of("4.20.2", "4.20.3", "4.20.4", "4.20.5", "4.20.6", "4.21.0", "4.21.1", "4.22.0");

    private int requests;
    private int withdrawals;
    private int rollbacks;
    private int acknowledgements;
    private int upgrades;
    private int pauses;

    @Test
    void whateverHappens_onlyWhatTheSpecNamesIsWritten_onceAndNeverLowerWithoutConsent() {
        for (int seed = 0; seed < RUNS; seed++) {
            History history = new History(seed);
            for (int event = 0; event < EVENTS; event++) {
                history.happen();
            }
            upgrades += history.world.completed() - 1;
        }
        assertThat(requests).as("requests").isGreaterThan(RUNS / 2);
        assertThat(withdrawals).as("withdrawals").isGreaterThan(RUNS / 8);
        assertThat(rollbacks).as("rollbacks").isGreaterThan(RUNS / 40);
        assertThat(acknowledgements).as("acknowledged gates").isGreaterThan(RUNS / 40);
        assertThat(pauses).as("pauses of pools, and their ends").isGreaterThan(RUNS / 2);
        assertThat(upgrades).as("complete upgrades").isGreaterThan(RUNS / 2);
    }

    private final class History {

        private final String name;
        private final Random random;
        private final UpgradeWorld world = new UpgradeWorld();
        private String target = "4.20.3";
        private UpgradeSettings settings = new UpgradeSettings(null, null, null, null, null, null);
        private UpgradeConsent consent = UpgradeConsent.NONE;

        /** The spec as the provider's cache has it. */
        private UpgradeRequest cached = request();

        /** What the provider knows of the cluster; {@code null} after a start. */
        private @Nullable ClusterUpgradeState seen;

        History(int seed) {
            name = "history " + seed;
            random = new Random(seed);
            if (random.nextBoolean()) {
                world.gates.put(UpgradeWorld.GATE, "APIs go away");
            }
        }

        void happen() {
            switch (random.nextInt(23)) {
                case 0 -> target = any();
                case 1 -> target = beside(random.nextInt(4) == 0 ? -1 : 1);
                case 2 -> target = world.runs();
                case 3 -> settings = settings();
                case 4 ->
                    consent = new UpgradeConsent(
                            random.nextBoolean() ? world.runs() : null, random.nextBoolean() ? target : null);
                case 5 -> byOc();
                case 6 -> flip(any());
                case 7, 10 -> world.heal();
                case 8 -> fault();
                case 9 -> world.pools = Observation.Pools.values()[random.nextInt(4)];
                case 11 -> pauseByUser();
                case 12 -> world.held = random.nextInt(3) == 0;
                case 13 -> seen = null;
                case 14, 15 -> world.pass(random.nextInt(60));
                case 16, 17 -> rest();
                case 18 -> seen = world.view();
                case 19 -> cached = request();
                default -> decide();
            }
            world.settle();
        }

        private String any() {
            return RELEASES.get(random.nextInt(RELEASES.size()));
        }

        /** A release before or after the one that the cluster runs. */
        private String beside(int step) {
            return RELEASES.get(Math.clamp(RELEASES.indexOf(world.runs()) + step, 0, RELEASES.size() - 1));
        }

        private UpgradeSettings settings() {
            return new UpgradeSettings(
                    random.nextBoolean() ? "stable-4." + (20 + random.nextInt(3)) : null,
                    random.nextBoolean() ? List.of(UpgradeWorld.GATE) : null,
                    null,
                    random.nextBoolean(),
                    random.nextInt(5) == 0,
                    random.nextInt(3) == 0 ? List.of("worker") : null);
        }

        private void byOc() {
            String release = any();
            world.request(
                    switch (random.nextInt(4)) {
                        case 0 -> Optional.<UpdateRequest>empty();
                        case 1 -> Optional.of(new UpdateRequest(release, "", false, "", List.of()));
                        default ->
                            Optional.of(new UpdateRequest(
                                    release, UpgradeWorld.image(release), random.nextInt(4) == 0, "", List.of()));
                    });
        }

        private void pauseByUser() {
            if (random.nextBoolean()) {
                world.masterPaused = random.nextInt(3) == 0;
            } else if (!world.workerHeld) {
                world.workerPaused = random.nextBoolean();
            }
        }

        private void flip(String release) {
            if (!world.unsigned.remove(release)) {
                world.unsigned.add(release);
            }
        }

        private void fault() {
            world.faults.clear();
            if (random.nextBoolean()) {
                world.faults.put("console", OperatorFault.values()[random.nextInt(4)]);
            }
        }

        /** The provider is left alone with the cluster until it has nothing to do. */
        private void rest() {
            int writes = 0;
            cached = request();
            do {
                seen = world.view();
                assertThat(writes++).as("%s: changes without end", name).isLessThan(10);
            } while (decide());
            ClusterVersionState version = world.view().version();
            assertThat(version.pending()
                            .filter(release -> version.own() && !version.isMoving())
                            .filter(release -> !version.isChecking() || !isLower(release.version(), target))
                            .filter(release -> !release.version().equals(target)))
                    .as("%s: a request that the spec no longer names, and that happens later", name)
                    .isEmpty();
        }

        /**
         * Whether the provider has written something: on what it knows, and again on what the cluster says now, unless the
         * fence finds another spec.
         */
        private boolean decide() {
            if (cached.equals(request())) {
                PoolPauses.changes(cached, world.view()).forEach(this::pause);
            }
            if (!(UpgradePlanner.next(cached, seen) instanceof UpgradeDecision.Change planned)) {
                return false;
            }
            UpgradeDecision now = UpgradePlanner.next(cached, world.view());
            boolean fenced = !cached.equals(request());
            if (!(now instanceof UpgradeDecision.Change change) || change.getClass() != planned.getClass() || fenced) {
                return false;
            }
            write(change);
            seen = null;
            return true;
        }

        private UpgradeRequest request() {
            TargetImage image = new TargetImage.Resolved(UpgradeWorld.image(target), "1.33.5");
            return new UpgradeRequest(target, settings, null, RequestedKubernetes.NONE, image, consent);
        }

        private void pause(PoolPauses.PoolPatch change) {
            pauses++;
            assertThat(change.pool())
                    .as("%s: the upgrade waits for the others", name)
                    .isEqualTo("worker");
            if (change.pause()) {
                assertThat(settings.pausedWorkerPools()).as(name).contains("worker");
            } else {
                assertThat(world.workerHeld).as("%s: a pause of the user", name).isTrue();
            }
            assertThat(world.workerPaused).as("%s: twice", name).isNotEqualTo(change.pause());
            world.workerPaused = change.pause();
            world.workerHeld = change.pause();
        }

        private void write(UpgradeDecision.Change change) {
            switch (change) {
                case UpgradeDecision.Acknowledge acknowledge -> {
                    acknowledgements++;
                    assertThat(settings.acknowledgements()).as(name).containsAll(acknowledge.gates());
                    assertThat(world.acknowledged).as(name).doesNotContainAnyElementsOf(acknowledge.gates());
                    world.acknowledged.addAll(acknowledge.gates());
                    world.settle();
                }
                case UpgradeDecision.SetChannel set -> {
                    assertThat(set.channel())
                            .as(name)
                            .isEqualTo(settings.channel())
                            .isNotEqualTo(world.channel);
                    world.channel(set.channel());
                }
                case UpgradeDecision.Request request -> request(request);
                case UpgradeDecision.Withdraw withdraw -> {
                    withdrawals++;
                    assertThat(withdraw.release().version()).as(name).isNotEqualTo(target);
                    assertThat(world.view().version().own())
                            .as("%s: another client's", name)
                            .isTrue();
                    assertThat(world.view().version().isMoving())
                            .as("%s: could send the cluster back", name)
                            .isFalse();
                    world.request(Optional.empty(), "");
                }
            }
        }

        private void request(UpgradeDecision.Request request) {
            requests++;
            ReleaseName release = request.release();
            UpdateRequest update =
                    new UpdateRequest(release.version(), release.image(), request.force(), "", List.of());
            assertThat(release.version())
                    .as("%s: the release of the spec", name)
                    .isEqualTo(target);
            assertThat(request.force()).as("%s: force", name).isEqualTo(Boolean.TRUE.equals(settings.force()));
            assertThat(world.desiredUpdate).as("%s: twice", name).isNotEqualTo(Optional.of(update));
            if (isLower(release.version(), world.desired())) {
                rollbacks++;
                assertThat(consent.rollbackFrom())
                        .as("%s: from %s to %s", name, world.desired(), release.version())
                        .isEqualTo(world.desired());
            }
            world.request(Optional.of(update), ClusterVersionState.mark(release, request.force()));
        }

        private static boolean isLower(String one, String other) {
            return DistributionVersion.parse(one)
                            .orElseThrow()
                            .compareTo(DistributionVersion.parse(other).orElseThrow())
                    < 0;
        }
    }
}
