package io.capoa.controlplane.workload.etcd;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.capoa.api.untrusted.UntrustedContent;
import io.capoa.controlplane.workload.client.PodExec;
import io.capoa.controlplane.workload.etcd.Membership.EtcdPod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/**
 * Runs {@code etcdctl} in an etcd pod of a workload cluster, whose environment has the endpoints and certificates.
 * Commands are lists of arguments without a shell; output and time are limited.
 */
public final class EtcdCommands {

    private static final String NAMESPACE = "openshift-etcd";
    private static final String CONTAINER = "etcdctl";
    private static final Duration PATIENCE = Duration.ofSeconds(8);
    private static final String FOR_EACH_REQUEST = "--command-timeout=5s";
    private static final int HEXADECIMAL = 16;
    private static final int LONGEST_QUOTE = 200;

    private static final ObjectMapper JSON = UntrustedContent.json();

    /** A command could not be run, failed, or answered what cannot be read. */
    public static final class CommandFailure extends Exception {
        private static final long serialVersionUID = 1L;

        public CommandFailure(String message) {
            super(message);
        }
    }

    private final KubernetesClient client;

    public EtcdCommands(KubernetesClient client) {
        this.client = client;
    }

    /** The members and whether each of them answers, as seen from that pod. */
    public List<EtcdMember> members(EtcdPod pod) throws CommandFailure {
        PodExec list = run(pod.name(), "member", "list", "-w", "json");
        if (list.exitCode() != 0) {
            throw new CommandFailure("etcdctl member list failed in pod " + pod.name() + ": " + quote(list.error()));
        }
        // It ends with 1 when one of them is unhealthy, and says which.
        PodExec health = run(pod.name(), "endpoint", "health", "--cluster", "-w", "json");
        return parse(list.output(), health.output());
    }

    /**
     * Removes a member, as etcd's own checks allow it. If it leads, another one does first: without a leader nothing is written
     * until one is elected.
     */
    public void remove(String pod, EtcdMember member) throws CommandFailure {
        successor(run(pod, "endpoint", "status", "--cluster", "-w", "json").output(), member)
                .ifPresent(next -> moveLeader(pod, next));
        PodExec result = run(pod, "member", "remove", member.id());
        if (result.exitCode() != 0) {
            throw new CommandFailure(
                    "etcd does not remove member %s: %s".formatted(member.label(), quote(result.error())));
        }
    }

    /** The member that is to lead instead of one that leads, by its ID in hexadecimal; empty if that one does not lead. */
    static Optional<String> successor(String status, EtcdMember leaving) {
        JsonNode endpoints;
        try {
            endpoints = json(status);
        } catch (CommandFailure unreadable) {
            return Optional.empty();
        }
        Set<String> leaders = new HashSet<>();
        Set<String> others = new TreeSet<>();
        for (JsonNode endpoint : endpoints) {
            JsonNode answer = endpoint.path("Status");
            leaders.add(hexadecimal(answer.path("leader")));
            String id = hexadecimal(answer.path("header").path("member_id"));
            if (!id.equals(leaving.id()) && !answer.path("isLearner").asBoolean()) {
                others.add(id);
            }
        }
        return leaders.equals(Set.of(leaving.id())) ? others.stream().findFirst() : Optional.empty();
    }

    /** One that cannot be moved is elected after the removal. */
    private void moveLeader(String pod, String member) {
        try {
            var unused = run(pod, "move-leader", member);
        } catch (CommandFailure notMoved) {
            // The removal tells whether the pod can be used at all.
        }
    }

    private static String hexadecimal(JsonNode id) {
        return id.bigIntegerValue().toString(HEXADECIMAL);
    }

    static List<EtcdMember> parse(String list, String health) throws CommandFailure {
        Map<String, Boolean> healthy = new HashMap<>();
        JsonNode endpoints = json(health);
        if (!endpoints.isArray() || endpoints.isEmpty()) {
            throw new CommandFailure("etcdctl reports the health of no member");
        }
        for (JsonNode endpoint : endpoints) {
            healthy.put(
                    endpoint.path("endpoint").asText(), endpoint.path("health").asBoolean());
        }
        JsonNode members = json(list).path("members");
        if (!members.isArray() || members.isEmpty()) {
            throw new CommandFailure("etcdctl lists no members");
        }
        List<EtcdMember> all = new ArrayList<>();
        for (JsonNode member : members) {
            if (!member.path("ID").isIntegralNumber()) {
                throw new CommandFailure("etcdctl lists a member without ID");
            }
            Set<String> addresses = new HashSet<>();
            member.path("peerURLs").forEach(url -> addresses.add(host(url.asText())));
            boolean answers = false;
            for (JsonNode url : member.path("clientURLs")) {
                answers |= healthy.getOrDefault(url.asText(), false);
            }
            all.add(new EtcdMember(
                    hexadecimal(member.path("ID")),
                    UntrustedContent.name(member.path("name").asText()),
                    Set.copyOf(addresses),
                    member.path("isLearner").asBoolean(),
                    answers));
        }
        return List.copyOf(all);
    }

    private static JsonNode json(String text) throws CommandFailure {
        try {
            JsonNode parsed = JSON.readTree(text);
            if (parsed != null && parsed.isContainerNode()) {
                return parsed;
            }
        } catch (IOException unreadable) {
            // Told below; what stands there is the workload cluster's and may be anything.
        }
        throw new CommandFailure("etcdctl answers what is not JSON");
    }

    private static String host(String url) {
        try {
            String host = URI.create(url).getHost();
            return host == null ? "" : host.replace("[", "").replace("]", "");
        } catch (IllegalArgumentException noUrl) {
            return "";
        }
    }

    private PodExec run(String pod, String... words) throws CommandFailure {
        List<String> command = new ArrayList<>(List.of("etcdctl", FOR_EACH_REQUEST));
        command.addAll(List.of(words));
        try {
            PodExec run = PodExec.run(client, NAMESPACE, pod, CONTAINER, command, PATIENCE);
            if (run.exitCode() < 0) {
                throw new CommandFailure("etcdctl in pod " + pod + " ended without a result");
            }
            return run;
        } catch (TimeoutException e) {
            throw new CommandFailure("etcdctl in pod %s did not end within %d s".formatted(pod, PATIENCE.toSeconds()));
        } catch (ExecutionException | KubernetesClientException e) {
            throw new CommandFailure("etcdctl could not be run in pod " + pod);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CommandFailure("etcdctl in pod " + pod + " was interrupted");
        }
    }

    private static String quote(String text) {
        return UntrustedContent.quoted(text.strip().replaceAll("\\s+", " "), LONGEST_QUOTE);
    }
}
