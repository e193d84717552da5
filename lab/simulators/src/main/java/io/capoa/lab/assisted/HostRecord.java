package io.capoa.lab.assisted;

import io.capoa.lab.controller.Key;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A registered host in the service's database. All fields are guarded by this object's monitor, on which {@link
 * #awaitInstruction} waits.
 */
final class HostRecord {

    static final String PART_OF_FAILED_CLUSTER = "Host is part of a cluster that failed to install";

    /** How long the agent may take to resolve names before it is told again. */
    static final Duration ASKED_AGAIN = Duration.ofSeconds(5);

    final Key agent;
    final String infraEnvId;
    final Published published = new Published();

    Map<String, Object> inventory;
    /** The names that its agent was asked to resolve last, or is to be asked. */
    private List<String> domains = List.of();

    /** When the agent was last told to resolve them. */
    private @Nullable Instant domainsSent;

    /** Addresses by name, as the host's DNS has them; {@code null} until it has replied. */
    volatile @Nullable Map<String, List<String>> resolved;

    Instant registered = Instant.now();
    /** The last request of its agent. */
    private Instant contact = Instant.now();
    /** Number of the latest validation round; -1 before the first. */
    int round = -1;

    /** Start of that round; {@code null} until the Agent exists. */
    @Nullable
    Instant roundBegan;

    /** The suggested role, by which the service counts until it has processed the role of the Agent's spec. */
    String suggested = InstallInputs.MASTER;

    /** Time of a simulated write conflict of the Agent; {@code null} if there was none. */
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
     * The Agent's spec.
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

    /** The expected name of the host's Node. */
    synchronized String hostname() {
        return wish.hostname().isEmpty() ? String.valueOf(inventory.get("hostname")) : wish.hostname();
    }

    /** The installation disk: the requested one, else the first. */
    synchronized String disk() {
        return wish.disk().isEmpty()
                ? Inventory.disks(inventory).stream().findFirst().orElse("")
                : wish.disk();
    }

    /** The host booted its discovery image again: unless it is installed, it starts over. */
    synchronized void bootAgain(Map<String, Object> seenNow) {
        inventory = seenNow;
        contact = Instant.now();
        domains = List.of();
        resolved = null;
        if (state.isWatched() || state == HostState.DISCONNECTED || state == HostState.ERROR) {
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

    /** The agent calls; {@code true} if the host was disconnected, which is checked again now. */
    synchronized boolean calls() {
        contact = Instant.now();
        if (state != HostState.DISCONNECTED) {
            return false;
        }
        enter(round < 0 ? HostState.DISCOVERING : HostState.INSUFFICIENT);
        return true;
    }

    /**
     * Takes the host for disconnected if its agent has not called for that long; the time that is left to it, {@code null}
     * if its calls are not awaited.
     */
    synchronized @Nullable Duration missedAfter(Duration limit) {
        if (!state.isWatched()) {
            return null;
        }
        Duration left = limit.minus(Duration.between(contact, Instant.now()));
        if (left.isPositive()) {
            return left;
        }
        validations = HostValidations.disconnected(validations);
        enter(HostState.DISCONNECTED);
        return null;
    }

    /** The agent sends its inventory again. */
    synchronized void report(Map<String, Object> seenNow) {
        inventory = seenNow;
    }

    /** The service wants to know what the host's DNS says of these names. */
    synchronized void resolve(List<String> names) {
        if (!names.equals(domains)) {
            domains = names;
            domainsSent = null;
            resolved = null;
            notifyAll();
        }
    }

    /**
     * The names to resolve; empty if there are none to ask for. The service asks until the agent has replied: a response that
     * is lost is not repeated by either side.
     */
    synchronized List<String> takeDomains(Instant now) {
        if (domainsSent != null && (resolved != null || now.isBefore(domainsSent.plus(ASKED_AGAIN)))) {
            return List.of();
        }
        domainsSent = now;
        return domains;
    }

    /** Whether its agent has not replied yet. */
    synchronized boolean isResolving() {
        return !domains.isEmpty() && resolved == null;
    }

    /** The agent replies what its DNS says. */
    synchronized void resolved(Map<String, List<String>> addresses) {
        resolved = Map.copyOf(addresses);
    }

    /** Stores the results of the validations, unless the installation has started. */
    synchronized void checked(List<HostValidations.Validation> outcome) {
        if (state.isWatched()) {
            validations = outcome;
            enter(HostValidations.failures(outcome).isEmpty() ? HostState.KNOWN : HostState.INSUFFICIENT);
        }
    }

    synchronized void enter(HostState next) {
        state = next;
        notifyAll();
    }

    /** The cluster is prepared: the host is installed from the next round on. */
    synchronized void prepare() {
        roundBegan = null;
        enter(HostState.PREPARED);
    }

    /** Begins the installation of a prepared host one round after this is first asked; until then, the rest of the round. */
    synchronized @Nullable Duration prepared(Rounds rounds) {
        if (state != HostState.PREPARED) {
            return null;
        }
        Instant began = roundBegan;
        if (began == null) {
            began = Instant.now();
            roundBegan = began;
        }
        Duration left = rounds.left(began);
        if (left.isZero()) {
            enter(HostState.INSTALLING);
            return null;
        }
        return left;
    }

    /** The host has been removed: the next request of its agent is rejected. */
    synchronized void forget() {
        forgotten = true;
        notifyAll();
    }

    /** Waits until there is an instruction, the host has been removed, or the time is over. */
    synchronized void awaitInstruction(long millis) throws InterruptedException {
        long end = System.nanoTime() + millis * 1_000_000;
        long left = millis;
        while (left > 0 && !forgotten && state != HostState.INSTALLING && (domainsSent != null || domains.isEmpty())) {
            wait(left);
            left = (end - System.nanoTime()) / 1_000_000;
        }
    }

    /** Stores a progress report of the agent; {@code false} if the order of stages forbids it. */
    synchronized boolean progress(String next, String info) {
        if (!Stages.mayFollow(stages, stage, next) || !state.isInstalling()) {
            return false;
        }
        if (next.equals(Stages.FAILED)) {
            // Keeps the stage in which it failed.
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

    /** The installation of the cluster failed: its hosts fail too, whatever their stage. */
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
