package io.capoa.lab.assisted;

import io.capoa.lab.actors.Key;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A registered host in the service's database. All fields are guarded by the record itself; waiting for an instruction
 * is waiting on it.
 */
final class HostRecord {

    static final String PART_OF_FAILED_CLUSTER = "Host is part of a cluster that failed to install";

    final Key agent;
    final String infraEnvId;
    final Published published = new Published();

    Map<String, Object> inventory;
    Instant registered = Instant.now();
    /** How many rounds its inventory has been looked at in; -1 before the first. */
    int round = -1;

    /** Since when; {@code null} until its Agent is there. */
    @Nullable
    Instant roundBegan;

    /** The role that the service suggests, and counts by, until its rounds have seen the one that the Agent is given. */
    String suggested = InstallInputs.MASTER;

    /** Since when the service has met a conflict on writing the Agent; {@code null} when it has not. */
    @Nullable
    Instant conflict;

    HostState state = HostState.DISCOVERING;
    String role = "";
    boolean bootstrap;
    boolean addedLater;
    List<String> stages = List.of();
    String stage = "";
    String failure = "";
    Wish wish = Wish.NONE;
    SpecSync sync = SpecSync.OK;
    List<HostValidations.Validation> validations = List.of();

    @Nullable
    Key cluster;

    String checkedName = "";
    String eventsUrl = "";
    boolean created;
    boolean seen;
    boolean labelled;
    boolean forgotten;

    /**
     * What the Agent's spec says.
     *
     * @param ignition install-time ignition to merge, JSON, may be empty
     * @param installerArgs JSON array, may be empty
     * @param nodeLabels labels for the node once it has joined
     * @param disk id of the disk to install to, empty to leave it to the service
     */
    record Wish(
            boolean approved,
            String role,
            String hostname,
            String ignition,
            String installerArgs,
            Map<String, Object> nodeLabels,
            String disk) {
        static final Wish NONE = new Wish(false, "", "", "", "", Map.of(), "");
    }

    HostRecord(Key agent, String infraEnvId, Map<String, Object> inventory) {
        this.agent = agent;
        this.infraEnvId = infraEnvId;
        this.inventory = inventory;
    }

    /** The name that the host's node will have, as far as the service knows. */
    synchronized String hostname() {
        return wish.hostname().isEmpty() ? String.valueOf(inventory.get("hostname")) : wish.hostname();
    }

    /** The disk that is installed to: the wanted one, else the first that there is. */
    synchronized String disk() {
        return wish.disk().isEmpty()
                ? Inventory.disks(inventory).stream().findFirst().orElse("")
                : wish.disk();
    }

    /** The host booted its discovery image once more; what was not installed begins anew. */
    synchronized void bootAgain(Map<String, Object> seenNow) {
        inventory = seenNow;
        if (state == HostState.DISCOVERING || state.isChecked() || state == HostState.ERROR) {
            registered = Instant.now();
            state = HostState.DISCOVERING;
            round = -1;
            roundBegan = null;
            suggested = InstallInputs.MASTER;
            stage = "";
            stages = List.of();
            failure = "";
            role = "";
            validations = List.of();
        }
    }

    /** The agent sends what it finds once more. */
    synchronized void report(Map<String, Object> seenNow) {
        inventory = seenNow;
    }

    /** Takes the outcome of the checks, where nothing has begun with the host. */
    synchronized void checked(List<HostValidations.Validation> outcome) {
        if (state == HostState.DISCOVERING || state.isChecked()) {
            validations = outcome;
            enter(HostValidations.failures(outcome).isEmpty() ? HostState.KNOWN : HostState.INSUFFICIENT);
        }
    }

    synchronized void enter(HostState next) {
        state = next;
        notifyAll();
    }

    /** The host is gone: its agent's next request is refused. */
    synchronized void forget() {
        forgotten = true;
        notifyAll();
    }

    /** Waits until the host is to be installed, or is gone, or the time is over. */
    synchronized void awaitInstruction(long millis) throws InterruptedException {
        long end = System.nanoTime() + millis * 1_000_000;
        long left = millis;
        while (left > 0 && !forgotten && state != HostState.INSTALLING) {
            wait(left);
            left = (end - System.nanoTime()) / 1_000_000;
        }
    }

    /** Takes a report of the agent; whether the order of stages allows it. */
    synchronized boolean progress(String next, String info) {
        if (!Stages.mayFollow(stages, stage, next) || !state.isInstalling()) {
            return false;
        }
        if (next.equals(Stages.FAILED)) {
            // The stage stays the one that it failed in.
            failure = Stages.FAILED + " - " + info;
            state = HostState.ERROR;
            return true;
        }
        stage = next;
        if (next.equals(Stages.DONE)) {
            state = addedLater ? HostState.ADDED : HostState.INSTALLED;
        } else {
            state = HostState.IN_PROGRESS;
        }
        return true;
    }

    /** The cluster failed to install: a host that took part in it, however far it is, fails with it. */
    synchronized void abort() {
        if (state.isInstalling() || state == HostState.INSTALLED) {
            failure = PART_OF_FAILED_CLUSTER;
            enter(HostState.ERROR);
        }
    }

    synchronized InstallInputs.HostFacts facts() {
        String effective = !role.isEmpty() ? role : suggested.isEmpty() ? wish.role() : suggested;
        return new InstallInputs.HostFacts(
                effective, state, wish.approved(), sync.isOk(), Stages.percent(stages, stage));
    }
}
