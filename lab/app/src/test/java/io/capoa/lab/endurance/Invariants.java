package io.capoa.lab.endurance;

import com.fasterxml.jackson.databind.JsonNode;
import io.capoa.api.Labels;
import io.capoa.lab.cluster.AuditEntry;
import io.capoa.lab.endurance.Operation.Change;
import java.net.HttpURLConnection;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What must hold at every write, whatever is killed: a state of the management cluster, made of its audit log alone.
 *
 * <ul>
 *   <li>each of the providers' objects exists once: none is created again under its name, or for its owner;
 *   <li>a control plane has at most one Machine more than it wants, and removes at most one at a time;
 *   <li>only the leader writes.
 * </ul>
 *
 * A namespace has one cluster.
 */
public final class Invariants {

    /** Objects of which a cluster has one. */
    private static final Set<String> ONE_OF_A_CLUSTER =
            Set.of("clusters", "openshiftassistedcontrolplanes", "clusterdeployments", "agentclusterinstalls");

    private static final Set<String> ONE_OF_A_NAME =
            Set.of("machines", "metal3machines", "openshiftassistedconfigs", "infraenvs");
    private static final String MACHINES = "machines";
    private static final String LEASES = "leases";
    /** Of standbys too: reviews of clients, and what happened. */
    private static final Set<String> OF_EVERY_REPLICA =
            Set.of("events", "tokenreviews", "subjectaccessreviews", LEASES);

    private static final int LONGEST_HISTORY = 60;

    private final Set<String> providers;
    private final Map<String, Leader> leaders = new HashMap<>();
    private final Map<String, Integer> writes = new HashMap<>();
    private final Map<String, String> uids = new HashMap<>();
    private final Map<String, Deque<String>> histories = new HashMap<>();
    private final Map<String, Namespace> namespaces = new HashMap<>();
    private final List<Finding> findings = new ArrayList<>();

    /**
     * An empty history.
     *
     * @param providers users whose writes only their leader may make
     */
    public Invariants(Set<String> providers) {
        this.providers = Set.copyOf(providers);
    }

    private record Leader(String pod, Instant since) {}

    /** A live Machine. */
    private static final class MachineState {

        private final boolean master;
        private boolean deleting;

        MachineState(boolean master) {
            this.master = master;
        }
    }

    private static final class Namespace {

        private final Map<String, MachineState> machines = new HashMap<>();
        private int replicas;
        private boolean ending;
        private Change change = Change.NONE;
    }

    /** The next request of the log. */
    public synchronized void accept(AuditEntry entry) {
        if (!entry.isWrite() || !entry.succeeded() || isDryRun(entry)) {
            return;
        }
        if (providers.contains(entry.user())) {
            leadership(entry);
        }
        if (entry.namespace().isEmpty() || entry.resource().equals(LEASES)) {
            return;
        }
        String name = entry.name().isEmpty() ? metadata(entry, "name") : entry.name();
        Deque<String> history = histories.computeIfAbsent(key(entry, name), key -> new ArrayDeque<>());
        history.add(line(entry));
        if (history.size() > LONGEST_HISTORY) {
            history.removeFirst();
        }
        if (creates(entry)) {
            created(entry, name);
        }
        Namespace namespace = namespaces.computeIfAbsent(entry.namespace(), key -> new Namespace());
        switch (entry.resource()) {
            case "clusters" -> namespace.ending |= entry.verb().equals("delete");
            case "openshiftassistedcontrolplanes" -> {
                JsonNode replicas = entry.object().path("spec").path("replicas");
                namespace.replicas = replicas.isInt() ? replicas.asInt() : namespace.replicas;
            }
            case MACHINES -> machine(entry, name, namespace);
            default -> {
                // Only the history counts.
            }
        }
    }

    private void leadership(AuditEntry entry) {
        Leader leader = leaders.get(entry.user());
        if (entry.resource().equals(LEASES)) {
            if (leader == null || !leader.pod().equals(entry.pod())) {
                leaders.put(entry.user(), new Leader(entry.pod(), entry.time()));
            }
            return;
        }
        if (OF_EVERY_REPLICA.contains(entry.resource())) {
            return;
        }
        writes.merge(entry.user(), 1, Integer::sum);
        if (leader != null
                && !leader.pod().equals(entry.pod())
                && entry.received().isAfter(leader.since())) {
            find(
                    "only the leader writes",
                    entry,
                    entry.name(),
                    "pod %s wrote at %s, pod %s has led since %s"
                            .formatted(entry.pod(), entry.received(), leader.pod(), leader.since()));
        }
    }

    private void created(AuditEntry entry, String name) {
        String uid = metadata(entry, "uid");
        String place = ONE_OF_A_CLUSTER.contains(entry.resource())
                ? entry.resource() + " of " + entry.namespace()
                : ONE_OF_A_NAME.contains(entry.resource()) ? key(entry, name) : "";
        String before = place.isEmpty() ? null : uids.put(place, uid);
        if (before != null && !before.equals(uid)) {
            find("nothing is made twice", entry, name, "UID %s after %s".formatted(uid, before));
        }
    }

    private void machine(AuditEntry entry, String name, Namespace namespace) {
        MachineState known = namespace.machines.get(name);
        boolean deleted = entry.verb().equals("delete");
        if (known == null) {
            if (creates(entry)) {
                appeared(entry, name, namespace);
            }
            return;
        }
        if (!known.deleting && (deleted || !metadata(entry, "deletionTimestamp").isEmpty())) {
            known.deleting = true;
            long going = namespace.machines.values().stream()
                    .filter(machine -> machine.master && machine.deleting)
                    .count();
            if (known.master && going > 1 && !namespace.ending) {
                find("one operation at a time", entry, name, "%d masters are being deleted".formatted(going));
            }
        }
        if (known.deleting
                && !deleted
                && entry.subresource().isEmpty()
                && entry.object().path("metadata").path("finalizers").isEmpty()) {
            namespace.machines.remove(name);
            namespace.change = namespace.change.plus(known.master ? new Change(0, 1, 0, 0) : new Change(0, 0, 0, 1));
        }
    }

    private void appeared(AuditEntry entry, String name, Namespace namespace) {
        boolean master = entry.object().path("metadata").path("labels").has(Labels.CONTROL_PLANE);
        namespace.machines.put(name, new MachineState(master));
        namespace.change = namespace.change.plus(master ? new Change(1, 0, 0, 0) : new Change(0, 0, 1, 0));
        long masters = namespace.machines.values().stream()
                .filter(machine -> machine.master && !machine.deleting)
                .count();
        if (master && masters > namespace.replicas + 1) {
            find(
                    "nothing is made twice",
                    entry,
                    name,
                    "%d masters where %d are wanted".formatted(masters, namespace.replicas));
        }
    }

    private void find(String rule, AuditEntry entry, String name, String what) {
        findings.add(new Finding(
                rule,
                "%s %s/%s: %s".formatted(entry.resource(), entry.namespace(), name, what),
                history(entry.resource(), entry.namespace(), name)));
    }

    /** What has been found so far. */
    public synchronized List<Finding> findings() {
        return List.copyOf(findings);
    }

    /** Writes of a provider so far, without those that a standby makes too. */
    public synchronized int writes(String user) {
        return writes.getOrDefault(user, 0);
    }

    /** Machines of a namespace that were created and removed so far. */
    public synchronized Change machines(String namespace) {
        Namespace known = namespaces.get(namespace);
        return known == null ? Change.NONE : known.change;
    }

    /** The last writes of an object, one a line. */
    public synchronized List<String> history(String resource, String namespace, String name) {
        return List.copyOf(histories.getOrDefault(resource + " " + namespace + "/" + name, new ArrayDeque<>()));
    }

    /** How all objects of a kind in a namespace began and ended. */
    public synchronized List<String> history(String resource, String namespace) {
        Set<String> keys = new HashSet<>(histories.keySet());
        keys.removeIf(key -> !key.startsWith(resource + " " + namespace + "/"));
        return keys.stream()
                .sorted()
                .flatMap(key -> histories.getOrDefault(key, new ArrayDeque<>()).stream()
                        .filter(line -> line.contains(": %d,".formatted(HttpURLConnection.HTTP_CREATED))
                                || line.contains(" delete"))
                        .map(line -> key.substring(key.indexOf('/') + 1) + ": " + line))
                .toList();
    }

    /** A create, or a server-side apply of something new. */
    private static boolean creates(AuditEntry entry) {
        return entry.code() == HttpURLConnection.HTTP_CREATED
                && entry.subresource().isEmpty();
    }

    private static boolean isDryRun(AuditEntry entry) {
        return entry.uri().contains("dryRun=");
    }

    private static String key(AuditEntry entry, String name) {
        return entry.resource() + " " + entry.namespace() + "/" + name;
    }

    private static String line(AuditEntry entry) {
        String finalizers = entry.object().path("metadata").path("finalizers").toString();
        String deleting = metadata(entry, "deletionTimestamp");
        return "%s %s%s by %s%s: %d, version %s%s"
                .formatted(
                        entry.time(),
                        entry.verb(),
                        entry.subresource().isEmpty() ? "" : " of " + entry.subresource(),
                        entry.user(),
                        entry.pod().isEmpty() ? "" : " in " + entry.pod(),
                        entry.code(),
                        entry.resourceVersion(),
                        deleting.isEmpty() ? "" : ", deleted " + deleting + ", finalizers " + finalizers);
    }

    private static String metadata(AuditEntry entry, String field) {
        return entry.object().path("metadata").path(field).asText();
    }
}
