package io.capoa.lab.host;

import io.capoa.api.contract.Fields;
import io.capoa.lab.workload.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The discovery agent of a host: calls the service with the URL and token of its systemd unit. */
final class AgentClient {

    private static final Pattern URL = Pattern.compile("--url[ =](\\S+)");
    private static final Pattern INFRA_ENV = Pattern.compile("--infra-env-id[ =](\\S+)");
    private static final Pattern TOKEN = Pattern.compile("PULL_SECRET_TOKEN=(\\S+)");
    private static final Duration LONGER_THAN_A_LONG_POLL = Duration.ofSeconds(60);

    private final HttpClient http;
    private final String base;
    private final String token;
    private final String hostId;

    private AgentClient(HttpClient http, String base, String token, String hostId) {
        this.http = http;
        this.base = base;
        this.token = token;
        this.hostId = hostId;
    }

    /** Throws {@link Refused} for an ignition without an agent. */
    static AgentClient of(IgnitionConfig ignition, HttpClient http, String hostId) throws Refused {
        IgnitionConfig.Unit unit = ignition.unit("agent.service")
                .filter(IgnitionConfig.Unit::enabled)
                .orElseThrow(() -> new Refused("its ignition enables no agent.service"));
        String start = String.join(" ", unit.values("ExecStart"));
        String base = find(URL, start, "--url") + "/api/assisted-install/v2/infra-envs/"
                + find(INFRA_ENV, start, "--infra-env-id");
        // Absent without authentication (AUTH_TYPE=none).
        Matcher token = TOKEN.matcher(String.join(" ", unit.values("Environment")));
        return new AgentClient(http, base, token.find() ? token.group(1) : "", hostId);
    }

    /** Registers the host; {@code false} after 409, after which the agent does not retry. */
    boolean register(Map<String, Object> inventory) throws Refused, InterruptedException {
        HttpResponse<byte[]> response = send("POST", "/hosts", Map.of("host_id", hostId, "inventory", inventory));
        if (response.statusCode() == 409) {
            return false;
        }
        if (response.statusCode() != 201) {
            throw new Refused("the service replied to its registration with " + response.statusCode());
        }
        return true;
    }

    /** Sends the inventory after a hardware change. */
    void report(Map<String, Object> inventory) throws Refused, InterruptedException {
        reply("inventory", inventory);
    }

    /** Sends what the host's DNS says. */
    void reportDomains(Map<String, Object> resolutions) throws Refused, InterruptedException {
        reply("domain-resolution", resolutions);
    }

    private void reply(String step, Map<String, Object> output) throws Refused, InterruptedException {
        HttpResponse<byte[]> response = send(
                "POST",
                "/hosts/" + hostId + "/instructions",
                Map.of("step_id", step + "-2", "step_type", step, "output", Json.text(output)));
        if (response.statusCode() != 204) {
            throw new Refused("the service replied to its " + step + " with " + response.statusCode());
        }
    }

    /** What the agent does when it is told to resolve names. */
    interface Resolver {
        void resolve(List<String> names) throws Refused, InterruptedException;
    }

    /** Waits for the install instruction, resolving names meanwhile; returns its arguments. */
    Map<String, Object> awaitInstall(Resolver resolver) throws Refused, InterruptedException {
        while (true) {
            HttpResponse<byte[]> response = send("GET", "/hosts/" + hostId + "/instructions", Map.of());
            if (response.statusCode() != 200) {
                throw new Refused("the service replied to its request for instructions with " + response.statusCode());
            }
            Map<String, Object> answer = body(response);
            Optional<Map<String, Object>> domains = step(answer, "domain-resolution");
            if (domains.isPresent()) {
                resolver.resolve(names(domains.get()));
            }
            Optional<Map<String, Object>> install = step(answer, "install");
            if (install.isPresent()) {
                return install.get();
            }
        }
    }

    private static List<String> names(Map<String, Object> request) {
        return Fields.any(request, "domains") instanceof List<?> domains
                ? domains.stream()
                        .map(domain -> String.valueOf(Fields.any(domain, "domain_name")))
                        .toList()
                : List.of();
    }

    /** The arguments of the step of that type. */
    private static Optional<Map<String, Object>> step(Map<String, Object> answer, String type) throws Refused {
        for (Object step : Fields.any(answer, "instructions") instanceof List<?> steps ? steps : List.of()) {
            if (type.equals(Fields.any(step, "step_type"))
                    && Fields.any(step, "args") instanceof List<?> args
                    && args.getFirst() instanceof String text) {
                try {
                    return Optional.of(Json.parse(text));
                } catch (IOException e) {
                    throw new Refused("the service's instruction to " + type + " is not JSON");
                }
            }
        }
        return Optional.empty();
    }

    void progress(String stage, String info) throws Refused, InterruptedException {
        HttpResponse<byte[]> response =
                send("PUT", "/hosts/" + hostId + "/progress", Map.of("current_stage", stage, "progress_info", info));
        if (response.statusCode() != 200) {
            throw new Refused("the service replied to its stage \"" + stage + "\" with " + response.statusCode());
        }
    }

    /** The ignition of the installed system. */
    Map<String, Object> installedIgnition() throws Refused, InterruptedException {
        HttpResponse<byte[]> response = send("GET", "/hosts/" + hostId + "/downloads/ignition", Map.of());
        if (response.statusCode() != 200) {
            throw new Refused("the service replied to its request for ignition with " + response.statusCode());
        }
        return body(response);
    }

    private HttpResponse<byte[]> send(String method, String path, Map<String, Object> body)
            throws Refused, InterruptedException {
        try {
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + path))
                    .timeout(LONGER_THAN_A_LONG_POLL)
                    .header("Content-Type", "application/json");
            if (!token.isEmpty()) {
                request.header("X-Secret-Key", token);
            }
            request.method(
                    method,
                    body.isEmpty()
                            ? HttpRequest.BodyPublishers.noBody()
                            : HttpRequest.BodyPublishers.ofByteArray(Json.bytes(body)));
            return Attempts.send(http, request.build());
        } catch (IOException e) {
            throw new Refused("the service does not respond: " + e);
        } catch (IllegalArgumentException e) {
            throw new Refused("the service's URL in agent.service is not an HTTP URL");
        }
    }

    private static Map<String, Object> body(HttpResponse<byte[]> response) throws Refused {
        try {
            return Json.parse(response.body());
        } catch (IOException e) {
            throw new Refused("the service's response is not JSON");
        }
    }

    private static String find(Pattern pattern, String text, String what) throws Refused {
        Matcher matcher = pattern.matcher(text);
        if (!matcher.find()) {
            throw new Refused("agent.service has no " + what);
        }
        return matcher.group(1);
    }
}
