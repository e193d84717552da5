package io.capoa.lab.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.capoa.lab.assisted.InfraEnvDeletion;
import io.capoa.lab.whole.DeletionScene.Trouble;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Deletion of a Cluster in every state of its installation, when healthy, with an unfit, failing or absent host, or
 * during an outage of assisted-service, with every release of the service: nothing is left.
 */
@Tag("full")
@Tag("whole")
@Disturbing
class DeletionTableTest {

    private static final String INSTALLATION = "Writing image to disk";

    /** Number of concurrent clusters; more would not finish sooner. */
    private static final int AT_ONCE = 4;

    /** State of the installation at the deletion. */
    enum State {
        /** Hosts have their boot media, and none has registered. */
        BOOTING,
        /** The first host has registered. */
        DISCOVERING,
        /** A host is missing, and the installation has not started. */
        WAITING,
        INSTALLING,
        FAILED,
        INSTALLED,
        /** A worker joins the installed cluster. */
        JOINING
    }

    private record Row(State state, Trouble trouble, InfraEnvDeletion release) {}

    private static Stream<Row> table() {
        return Stream.of(
                        older(State.BOOTING, Trouble.NONE, Trouble.FAILED, Trouble.SERVICE_DOWN),
                        older(State.DISCOVERING, Trouble.NONE),
                        older(State.WAITING, Trouble.UNFIT, Trouble.ABSENT, Trouble.SERVICE_DOWN),
                        older(State.INSTALLING, Trouble.NONE, Trouble.ABSENT, Trouble.SERVICE_DOWN),
                        older(State.FAILED, Trouble.FAILED, Trouble.SERVICE_DOWN),
                        older(State.INSTALLED, Trouble.NONE, Trouble.ABSENT, Trouble.SERVICE_DOWN),
                        older(
                                State.JOINING,
                                Trouble.NONE,
                                Trouble.UNFIT,
                                Trouble.FAILED,
                                Trouble.ABSENT,
                                Trouble.SERVICE_DOWN),
                        recent(State.DISCOVERING, Trouble.NONE),
                        recent(State.WAITING, Trouble.UNFIT, Trouble.ABSENT),
                        recent(State.INSTALLING, Trouble.NONE, Trouble.SERVICE_DOWN),
                        recent(State.FAILED, Trouble.FAILED),
                        recent(State.INSTALLED, Trouble.NONE),
                        recent(State.JOINING, Trouble.NONE))
                .flatMap(rows -> rows);
    }

    /** With older releases, which are stricter. */
    private static Stream<Row> older(State state, Trouble... troubles) {
        return Stream.of(troubles).map(trouble -> new Row(state, trouble, InfraEnvDeletion.AFTER_HOSTS));
    }

    /** With recent releases, where they behave differently. */
    private static Stream<Row> recent(State state, Trouble... troubles) {
        return Stream.of(troubles).map(trouble -> new Row(state, trouble, InfraEnvDeletion.AT_ONCE));
    }

    @Test
    void inEveryState_withEveryTrouble_nothingIsLeftOfACluster(WholeLab lab) throws Exception {
        List<String> failures = all(table().<Callable<List<String>>>map(row -> () -> delete(lab, row))
                .toList());
        assertThat(failures).isEmpty();
    }

    @Test
    void aClusterThatIsDeletedBeforeTheStart_isNotInstalledOnceItsWorkersAreGone(WholeLab lab) {
        DeletionScene scene = new DeletionScene(lab, InfraEnvDeletion.AFTER_HOSTS, 4);
        scene.all("lab.capoa.io/hardware", "memory=2");
        scene.apply(3, 1);
        scene.awaitAgents(4);
        scene.mendControlPlaneHosts();
        scene.awaitKnown(3);

        scene.deleteCluster();

        scene.awaitNothingLeft();
        assertThat(scene.installationStates())
                .contains("insufficient")
                .doesNotContain("preparing-for-installation", "installing");
    }

    @Test
    void aWorkerWhoseHostIsUnfit_isTakenOutBeforeTheStart_andTheOthersAreInstalled(WholeLab lab) {
        DeletionScene scene = new DeletionScene(lab, InfraEnvDeletion.AFTER_HOSTS, 4);
        scene.trouble(Trouble.UNFIT);
        scene.apply(3, 1);
        scene.awaitAgents(4);
        scene.awaitState("insufficient");
        // Whichever Machine has claimed the unfit host, one of the control planes' hosts suits the worker.
        scene.swapUnfitHost();

        scene.scaleWorkers(0);

        lab.awaitReady(scene.namespace());
        assertThat(lab.machines(scene.namespace())).hasSize(3);
        assertThat(scene.agents()).hasSize(3);
    }

    @Test
    void aControlPlaneWhoseHostIsUnfit_isTakenOutBeforeTheStart_andTheOthersAreInstalled(WholeLab lab) {
        DeletionScene scene = new DeletionScene(lab, InfraEnvDeletion.AFTER_HOSTS, 4);
        scene.trouble(Trouble.UNFIT);
        scene.apply(4, 0);
        scene.awaitAgents(4);
        scene.awaitState("insufficient");
        scene.markForDeletion(scene.machineOf(DeletionScene.TROUBLED));

        scene.scaleControlPlane(3);

        lab.awaitReady(scene.namespace());
        assertThat(lab.machines(scene.namespace())).hasSize(3);
        assertThat(scene.agents()).hasSize(3);
    }

    /** Failure of a row. */
    private static List<String> delete(WholeLab lab, Row row) {
        DeletionScene scene = new DeletionScene(lab, row.release(), 4);
        try {
            reach(lab, scene, row);
            scene.deleteCluster();
            if (row.trouble() == Trouble.SERVICE_DOWN) {
                scene.assertWaitsForService();
                lab.peers().assistedService().comeBack(scene.namespace());
            }
            scene.awaitNothingLeft();
            return List.of();
        } catch (AssertionError | RuntimeException e) {
            return List.of(row + " in " + scene.namespace() + ": " + e.getMessage());
        } finally {
            lab.peers().assistedService().comeBack(scene.namespace());
        }
    }

    private static void reach(WholeLab lab, DeletionScene scene, Row row) {
        Trouble early = switch (row.state()) {
            case BOOTING, WAITING, FAILED -> row.trouble();
            default -> Trouble.NONE;
        };
        switch (row.state()) {
            case BOOTING -> {
                scene.all("lab.capoa.io/power", "off");
                scene.trouble(early);
                scene.apply(3, 1);
                await().atMost(WholeLab.SOON).until(() -> scene.infraEnvs().size() == 4);
            }
            case DISCOVERING -> {
                scene.apply(3, 1);
                await().atMost(WholeLab.SOON)
                        .pollInterval(Duration.ofMillis(10))
                        .until(() -> !scene.agents().isEmpty());
            }
            case WAITING -> {
                scene.trouble(early == Trouble.SERVICE_DOWN ? Trouble.UNFIT : early);
                scene.apply(3, 1);
                scene.awaitAgents(early == Trouble.ABSENT ? 3 : 4);
                // A cluster is ready without its worker, and waits for it.
                scene.awaitState("insufficient", "ready");
            }
            case INSTALLING -> {
                scene.all("lab.capoa.io/hold", INSTALLATION);
                scene.apply(3, 1);
                scene.awaitState("installing");
                scene.trouble(row.trouble());
            }
            case FAILED -> {
                scene.all("lab.capoa.io/hold", INSTALLATION);
                scene.annotate(DeletionScene.TROUBLED, "lab.capoa.io/hold", null);
                scene.annotate(DeletionScene.TROUBLED, "lab.capoa.io/fail", INSTALLATION);
                scene.apply(3, 1);
                scene.awaitState("error");
            }
            case INSTALLED -> {
                scene.apply(3, 1);
                lab.awaitReady(scene.namespace());
                if (row.trouble() == Trouble.ABSENT) {
                    scene.all("lab.capoa.io/power", "off");
                }
            }
            case JOINING -> {
                scene.apply(3, 0);
                lab.awaitReady(scene.namespace());
                join(scene, row.trouble());
            }
        }
        if (row.trouble() == Trouble.SERVICE_DOWN) {
            lab.peers().assistedService().goDown(scene.namespace());
        }
    }

    private static void join(DeletionScene scene, Trouble trouble) {
        String host = scene.freeHost();
        switch (trouble) {
            case NONE, SERVICE_DOWN -> scene.annotate(host, "lab.capoa.io/hold", INSTALLATION);
            case FAILED -> scene.annotate(host, "lab.capoa.io/fail", INSTALLATION);
            case UNFIT -> scene.annotate(host, "lab.capoa.io/hardware", "memory=2");
            case ABSENT -> scene.annotate(host, "lab.capoa.io/power", "off");
        }
        scene.scaleWorkers(1);
        switch (trouble) {
            case NONE, SERVICE_DOWN -> scene.awaitAgentIn("installing-in-progress", "installing");
            case FAILED -> scene.awaitAgentIn("error");
            case UNFIT -> scene.awaitAgentIn("insufficient");
            case ABSENT ->
                await().atMost(WholeLab.SOON).until(() -> scene.infraEnvs().size() == 4);
        }
    }

    /** Runs them in parallel and collects the results. */
    private static List<String> all(List<Callable<List<String>>> rows) throws Exception {
        List<String> failures = new ArrayList<>();
        try (ExecutorService pool = Executors.newFixedThreadPool(AT_ONCE)) {
            for (Future<List<String>> row : pool.invokeAll(rows)) {
                failures.addAll(row.get());
            }
        }
        return failures;
    }
}
