package io.capoa.lab.host;

import io.capoa.lab.workload.WorkloadApi;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The kubelet of an installed host: creates its Node with labels, taints and provider ID of its configuration. */
final class Kubelet {

    private static final Pattern NODE_LABELS = Pattern.compile("--node-labels[= ](\\S+)");
    private static final Pattern PROVIDER_ID = Pattern.compile("--provider-id[= ]\"?([^\"\\s]+)");
    private static final Pattern EXTERNAL_CLOUD_PROVIDER = Pattern.compile("--cloud-provider[= ]\"?external\\b");
    private static final String UNINITIALIZED = "node.cloudprovider.kubernetes.io/uninitialized";
    private static final String MASTER = "node-role.kubernetes.io/master";
    private static final String ARBITER = "node-role.kubernetes.io/arbiter";
    private static final long FIRST_PAUSE_MILLIS = 50;
    private static final long LONGEST_PAUSE_MILLIS = 1000;

    private final InstalledSystem system;
    private final WorkloadApi api;
    private final String name;
    private final Map<String, Object> labels = new LinkedHashMap<>();
    private final String providerId;
    private final boolean externalCloudProvider;

    Kubelet(InstalledSystem system) throws IOException {
        this.system = system;
        this.api = WorkloadApi.of(system.read("etc/kubernetes/kubeconfig"));
        this.name = system.read("etc/hostname").strip();
        Map<String, String> environment = environment(system.read("etc/kubernetes/kubelet-env"));
        String command = command();
        Matcher given = NODE_LABELS.matcher(command);
        labels.put("kubernetes.io/hostname", name);
        labels.put("kubernetes.io/arch", "amd64");
        labels.put("kubernetes.io/os", "linux");
        if (given.find()) {
            addLabels(given.group(1)
                    .replace("${CUSTOM_KUBELET_LABELS}", environment.getOrDefault("CUSTOM_KUBELET_LABELS", "")));
        }
        Matcher flag = PROVIDER_ID.matcher(command);
        this.externalCloudProvider = EXTERNAL_CLOUD_PROVIDER.matcher(command).find();
        this.providerId = flag.find() ? flag.group(1) : environment.getOrDefault("KUBELET_PROVIDERID", "");
    }

    String name() {
        return name;
    }

    /** Starts the host's control-plane pods, if any, and joins the cluster; waits for the cluster's API. */
    void join(List<String> addresses) throws IOException, InterruptedException, Refused {
        String role = labels.containsKey(MASTER) ? "master" : labels.containsKey(ARBITER) ? "arbiter" : "";
        // The pool's configuration decides the kubelet's version: during an upgrade it is not the API server's.
        String version = String.valueOf(power("PUT", role).body().get("kubeletVersion"));
        boolean up = false;
        for (long pause = FIRST_PAUSE_MILLIS; !up; pause = Math.min(LONGEST_PAUSE_MILLIS, pause * 2)) {
            WorkloadApi.Answer answer = api.send("GET", "/version", Map.of());
            if (answer.code() == 401 || answer.code() == 404) {
                throw new Refused("the cluster's API replied " + answer.code() + " to its kubelet");
            }
            up = answer.code() == 200;
            if (!up) {
                Thread.sleep(pause);
            }
        }
        Map<String, Object> node = node(version, addresses);
        WorkloadApi.Answer created = api.send("POST", "/api/v1/nodes", node);
        if (created.code() == 409) {
            // A kubelet registers with taints; those of an existing Node are left to its controllers.
            if (node.get("spec") instanceof Map<?, ?> spec) {
                spec.remove("taints");
            }
            created = api.send("PATCH", "/api/v1/nodes/" + name, node);
        }
        if (created.code() >= 300) {
            throw new Refused("the cluster's API replied " + created.code() + " to its Node");
        }
    }

    /** Labels the Node, as the controller in the new cluster does. */
    void label(Map<?, ?> nodeLabels) throws IOException, InterruptedException, Refused {
        if (nodeLabels.isEmpty()) {
            return;
        }
        WorkloadApi.Answer answer =
                api.send("PATCH", "/api/v1/nodes/" + name, Map.of("metadata", Map.of("labels", nodeLabels)));
        if (answer.code() >= 300) {
            throw new Refused("the cluster's API replied " + answer.code() + " to the labels of its Node");
        }
    }

    /** The host is powered off. */
    void stop() throws IOException, InterruptedException {
        power("DELETE", "");
    }

    private WorkloadApi.Answer power(String method, String role) throws IOException, InterruptedException {
        return api.send(method, "/machines/" + name + (role.isEmpty() ? "" : "?role=" + role), Map.of());
    }

    private Map<String, Object> node(String version, List<String> addresses) {
        Map<String, Object> spec = new LinkedHashMap<>();
        if (!providerId.isEmpty()) {
            spec.put("providerID", providerId);
        }
        List<Map<String, String>> taints = new ArrayList<>();
        if (labels.containsKey(MASTER) && !labels.containsKey("node-role.kubernetes.io/worker")) {
            taints.add(Map.of("key", MASTER, "effect", "NoSchedule"));
        }
        if (labels.containsKey(ARBITER)) {
            taints.add(Map.of("key", ARBITER, "effect", "NoSchedule"));
        }
        if (externalCloudProvider) {
            taints.add(Map.of("key", UNINITIALIZED, "value", "true", "effect", "NoSchedule"));
        }
        if (!taints.isEmpty()) {
            spec.put("taints", taints);
        }
        return NodeObject.of(name, labels, spec, addresses, version);
    }

    private void addLabels(String list) {
        for (String label : list.split(",", -1)) {
            int at = label.indexOf('=');
            if (!label.isBlank()) {
                labels.put(at < 0 ? label : label.substring(0, at), at < 0 ? "" : label.substring(at + 1));
            }
        }
    }

    /** The kubelet's command line: the last non-empty ExecStart of its unit and drop-ins. */
    private String command() throws IOException {
        StringBuilder text = new StringBuilder(system.read("etc/systemd/system/" + UnitOrder.KUBELET));
        Path dropIns = system.root().resolve("etc/systemd/system/" + UnitOrder.KUBELET + ".d");
        if (Files.isDirectory(dropIns)) {
            try (var files = Files.list(dropIns)) {
                for (Path file : files.sorted().toList()) {
                    text.append('\n').append(Files.readString(file));
                }
            }
        }
        Optional<String> last = new IgnitionConfig.Unit(UnitOrder.KUBELET, true, text.toString())
                .values("ExecStart").stream().filter(v -> !v.isEmpty()).reduce((a, b) -> b);
        return last.orElse("");
    }

    private static Map<String, String> environment(String text) {
        Map<String, String> environment = new LinkedHashMap<>();
        text.lines().filter(l -> l.contains("=")).forEach(l -> {
            String value = l.substring(l.indexOf('=') + 1).strip();
            boolean quoted = value.length() > 1 && value.startsWith("\"") && value.endsWith("\"");
            environment.put(
                    l.substring(0, l.indexOf('=')).strip(), quoted ? value.substring(1, value.length() - 1) : value);
        });
        return environment;
    }
}
