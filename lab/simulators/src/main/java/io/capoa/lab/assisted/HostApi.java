package io.capoa.lab.assisted;

import com.sun.net.httpserver.HttpExchange;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.InfraEnv;
import io.capoa.lab.controller.Caches;
import io.capoa.lab.workload.Json;
import io.capoa.lab.workload.Workload;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The part of the service's HTTP API that the hosts' agents call: registration, instructions, results, progress. */
final class HostApi {

    private static final long LONG_POLL_MILLIS = 25_000;
    private static final String INVENTORY = "inventory";
    private static final String DOMAIN_RESOLUTION = "domain-resolution";

    private final Backend backend;
    private final Caches.Cache<InfraEnv> infraEnvs;

    private volatile boolean helpsHosts = true;

    HostApi(Backend backend, Caches.Cache<InfraEnv> infraEnvs) {
        this.backend = backend;
        this.infraEnvs = infraEnvs;
    }

    void helpsHosts(boolean yes) {
        helpsHosts = yes;
    }

    void register(HttpExchange exchange, String id) throws IOException {
        Map<String, Object> body = Json.parse(exchange.getRequestBody().readAllBytes());
        Backend.InfraEnvRecord accepted = backend.infraEnv(id).orElse(null);
        if (accepted == null) {
            Replies.fail(exchange, 404, "infra env " + id + " was not found");
        } else if (!(body.get("host_id") instanceof String hostId)
                || !(body.get("inventory") instanceof Map<?, ?> inventory)) {
            Replies.fail(exchange, 400, "host_id and inventory are required");
        } else if (!backend.takesHost(accepted, infraEnvs.get(accepted.key()), hostId)) {
            Replies.fail(exchange, 409, Backend.NO_NEW_HOSTS);
        } else {
            backend.register(accepted, hostId, Inventory.toStatus(inventory));
            Replies.send(exchange, 201, Json.bytes(Map.of("id", hostId, "infra_env_id", id, "kind", "Host")));
        }
    }

    void call(HttpExchange exchange, String infraEnvId, String hostId, String call)
            throws IOException, InterruptedException {
        HostRecord host = backend.host(infraEnvId, hostId).orElse(null);
        if (host == null) {
            Replies.fail(exchange, 404, "host " + hostId + " was not found");
            return;
        }
        if (host.calls()) {
            backend.hostChanged(host);
        }
        switch (call) {
            case "GET instructions" -> instructions(exchange, host);
            case "POST instructions" -> stepReply(exchange, host);
            case "PUT progress" -> progress(exchange, host);
            case "GET downloads/ignition" -> ignition(exchange, host);
            default -> Replies.fail(exchange, 404, "no such operation");
        }
    }

    private void ignition(HttpExchange exchange, HostRecord host) throws IOException {
        ClusterRecord cluster =
                Optional.ofNullable(host.cluster).map(backend::cluster).orElse(null);
        Workload workload = cluster == null ? null : cluster.workload;
        if (cluster == null || workload == null) {
            Replies.fail(exchange, 409, "the cluster of host " + host.agent.name() + " is not being installed");
        } else {
            boolean single = host.stages.equals(Stages.SINGLE_NODE);
            var nodes = new InstalledIgnition.Nodes(single, cluster.hasExternalCloudProvider());
            Replies.send(exchange, 200, Json.bytes(InstalledIgnition.of(host, workload, nodes)));
        }
    }

    /**
     * Long poll: replies as soon as there is an instruction, at the latest after {@value #LONG_POLL_MILLIS} ms, and early
     * enough for the agent to call again before its host is missed.
     */
    private void instructions(HttpExchange exchange, HostRecord host) throws IOException, InterruptedException {
        long missed = backend.behaviour.missedAfter(host.agent.namespace()).toMillis();
        host.awaitInstruction(Math.min(LONG_POLL_MILLIS, missed / 2));
        boolean install;
        Map<String, Object> arguments = new LinkedHashMap<>();
        synchronized (host) {
            if (host.forgotten) {
                Replies.fail(exchange, 404, "host " + host.agent.name() + " was not found");
                return;
            }
            install = host.state == HostState.INSTALLING;
            arguments.put("role", host.bootstrap ? "bootstrap" : host.role);
            arguments.put("installer_args", host.wish.installerArgs());
            if (helpsHosts) {
                arguments.put("host_name", host.hostname());
                arguments.put("node_labels", host.wish.nodeLabels());
                arguments.put("stages", host.stages);
                arguments.put("day2", host.addedLater);
            }
        }
        List<String> domains = host.takeDomains(Instant.now());
        List<Object> steps = new ArrayList<>();
        if (!domains.isEmpty()) {
            Map<String, Object> request = Map.of(
                    "domains",
                    domains.stream().map(name -> Map.of("domain_name", name)).toList());
            steps.add(step(DOMAIN_RESOLUTION, request));
        }
        if (install) {
            steps.add(step("install", arguments));
        }
        Replies.send(exchange, 200, Json.bytes(Map.of("instructions", steps, "post_step_action", "continue")));
    }

    private static Map<String, Object> step(String type, Map<String, Object> arguments) {
        return Map.of("step_type", type, "step_id", type + "-1", "args", List.of(Json.text(arguments)));
    }

    /** Result of an agent's step; the inventory and what its DNS says are simulated. */
    private void stepReply(HttpExchange exchange, HostRecord host) throws IOException {
        Map<String, Object> body = Json.parse(exchange.getRequestBody().readAllBytes());
        Object type = body.get("step_type");
        if (!(body.get("output") instanceof String output)
                || !(INVENTORY.equals(type) || DOMAIN_RESOLUTION.equals(type))) {
            Replies.fail(exchange, 400, "step_type inventory or domain-resolution and its output are required");
            return;
        }
        if (INVENTORY.equals(type)) {
            host.report(Inventory.toStatus(Json.parse(output)));
        } else {
            host.resolved(resolutions(Json.parse(output)));
        }
        backend.hostChanged(host);
        Replies.send(exchange, 204, new byte[0]);
    }

    private static Map<String, List<String>> resolutions(Map<String, Object> output) {
        Map<String, List<String>> addresses = new HashMap<>();
        for (Object resolution : Fields.any(output, "resolutions") instanceof List<?> list ? list : List.of()) {
            if (Fields.any(resolution, "ipv4_addresses") instanceof List<?> found) {
                addresses.put(
                        String.valueOf(Fields.any(resolution, "domain_name")),
                        found.stream().map(String::valueOf).toList());
            }
        }
        return addresses;
    }

    private void progress(HttpExchange exchange, HostRecord host) throws IOException {
        Map<String, Object> body = Json.parse(exchange.getRequestBody().readAllBytes());
        String stage = String.valueOf(body.get("current_stage"));
        if (host.progress(stage, String.valueOf(body.getOrDefault("progress_info", "")))) {
            backend.hostChanged(host);
            Replies.send(exchange, 200, Json.bytes(Map.of()));
        } else {
            Replies.fail(exchange, 409, "stage " + stage + " cannot follow the host's present stage");
        }
    }
}
