package io.capoa.runtime.dashboard;

import static io.capoa.runtime.dashboard.Panel.lines;
import static io.capoa.runtime.dashboard.Panel.stack;
import static io.capoa.runtime.dashboard.Panel.table;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** Defines the dashboard: rows of panels, and from them Grafana's JSON. */
final class Dashboard {

    private static final int WIDTH = 24;
    private static final int HEIGHT = 8;
    private static final String CLUSTERS = "controller=\"openshiftassistedcontrolplane\"";
    private static final String HOSTS = "controller=\"openshiftassistedconfig\"";
    private static final String RATE = "[$__rate_interval]";

    /** A heading and the panels below it, side by side. */
    record Row(String title, List<Panel> panels) {}

    private Dashboard() {}

    static List<Row> rows() {
        return List.of(
                new Row("Clusters", clusters()),
                new Row("Hosts", hosts()),
                new Row("Servers", servers()),
                new Row("Reconciles", reconciles()),
                new Row("Processes", processes()));
    }

    private static List<Panel> clusters() {
        return List.of(
                stack("Clusters by phase", "Reason of condition Ready of the control planes.")
                        .show(now(CLUSTERS + ", type=\"Ready\""), "{{reason}} ({{status}})"),
                stack("Installations", "Reason of condition InstallSucceeding of the control planes.")
                        .show(now(CLUSTERS + ", type=\"InstallSucceeding\""), "{{reason}} ({{status}})"),
                stack(
                                "Installations that failed or were blocked in the last hour",
                                "By reason, see docs/conditions.md.")
                        .show(lastHour(CLUSTERS + ", type=\"InstallSucceeding\", status=\"False\""), "{{reason}}"),
                table(
                                "Clusters that cannot be installed now",
                                "Their condition InstallSucceeding says what to do. Needs kube-state-metrics, see docs/alerts.md.")
                        .show(
                                "max by (namespace, cluster, reason)"
                                        + " (capoa_controlplane_status_condition{type=\"InstallSucceeding\", status=\"False\"}) == 1",
                                ""));
    }

    private static List<Panel> hosts() {
        return List.of(
                stack(
                                "Machines by phase",
                                "Reason of condition Ready of the OpenshiftAssistedConfigs, one for each Machine.")
                        .show(now(HOSTS + ", type=\"Ready\""), "{{reason}} ({{status}})"),
                stack("Hosts that have not registered", "Reason of condition AgentRegistered while it is False.")
                        .show(now(HOSTS + ", type=\"AgentRegistered\", status=\"False\""), "{{reason}}"),
                stack("Failures of hosts in the last hour", "By reason, see docs/conditions.md.")
                        .show(
                                lastHour(
                                        HOSTS + ", type=\"Installed\", status=\"False\", "
                                                + "reason=~\"InstallationFailed|AgentValidationFailed|AgentDisconnected|WrongHost\""),
                                "{{reason}}"),
                lines(
                                "Time of phases, 90 %",
                                "s", "Since the managers started: registration, installation, first answer.")
                        .show(
                                "histogram_quantile(0.9, sum by (le, controller, type) (capoa_condition_wait_seconds_bucket{"
                                        + "type=~\"DataSecretAvailable|AgentRegistered|Installed|Initialized\"}))",
                                "{{type}}"));
    }

    private static List<Panel> servers() {
        return List.of(
                lines("Requests to registries and assisted-service", "reqps", "By status; 0 without an answer.")
                        .show(
                                "sum by (server, code) (rate(capoa_server_requests_total" + RATE + "))",
                                "{{server}} {{code}}"),
                lines("Requests to the API server", "reqps", "By status; 0 without an answer.")
                        .show("sum by (code) (rate(rest_client_requests_total" + RATE + "))", "{{code}}"),
                lines("Time of requests to the API server, mean", "s", "To the answer's headers.")
                        .show(
                                "sum by (verb) (rate(rest_client_request_duration_seconds_sum" + RATE + "))"
                                        + " / sum by (verb) (rate(rest_client_request_duration_seconds_count" + RATE
                                        + "))",
                                "{{verb}}"));
    }

    private static List<Panel> reconciles() {
        return List.of(
                lines("Reconciles", "ops", "By result.")
                        .show(
                                "sum by (controller, result) (rate(controller_runtime_reconcile_total" + RATE + "))",
                                "{{controller}} {{result}}"),
                lines("Time of a reconcile, 90 %", "s", "A reconcile waits for the API server at most.")
                        .show(quantile("controller", "controller_runtime_reconcile_time"), "{{controller}}"),
                lines("Queue", "short", "Objects that wait for a reconcile, and reconciles that run.")
                        .show("sum by (name) (workqueue_depth)", "{{name}} waiting")
                        .show("sum by (controller) (controller_runtime_active_workers)", "{{controller}} running"),
                lines("Time in the queue, 90 %", "s", "Grows when all workers are busy.")
                        .show(quantile("name", "workqueue_queue_duration"), "{{name}}"));
    }

    private static List<Panel> processes() {
        return List.of(
                lines("Leaders", "short", "Replicas that lead, by Lease; 1 each.")
                        .show("sum by (name) (leader_election_master_status)", "{{name}}"),
                lines("Heap", "bytes", "Used, and taken from the system.")
                        .show("sum by (pod) (jvm_memory_used_bytes{area=\"heap\"})", "{{pod}} used")
                        .show("sum by (pod) (jvm_memory_committed_bytes{area=\"heap\"})", "{{pod}} committed"),
                lines("Processor", "percentunit", "Of all processors that the process may use.")
                        .show("max by (pod) (process_cpu_usage)", "{{pod}}"),
                table("Versions", "What runs.").show("max by (pod, manager, version, java) (capoa_build_info)", ""));
    }

    /** Replicas of a manager count the same objects; managers in other namespaces count other ones. */
    private static String now(String selector) {
        return "sum by (status, reason) (max by (namespace, status, reason) (capoa_conditions{" + selector + "}))";
    }

    /** As increase(), which misses the change that a series begins with. */
    private static String lastHour(String selector) {
        String series = "capoa_condition_changes_total{" + selector + "}";
        return "sum by (reason) (clamp_min(" + series + " - (" + series + " offset 1h or " + series + " * 0), 0))";
    }

    private static String quantile(String label, String timer) {
        return "histogram_quantile(0.9, sum by (le, " + label + ") (rate(" + timer + "_seconds_bucket" + RATE + ")))";
    }

    /** As Grafana exports it. */
    static String json() throws JsonProcessingException {
        ObjectNode dashboard = JsonNodeFactory.instance
                .objectNode()
                .put("uid", "capoa")
                .put("title", "Cluster API provider for OpenShift on bare metal")
                .put(
                        "description",
                        "Clusters and hosts by their conditions, and the managers of capoa. See docs/metrics.md.")
                .put("schemaVersion", 39)
                .put("version", 1)
                .put("editable", true)
                .put("graphTooltip", 1)
                .put("refresh", "1m")
                .put("timezone", "");
        dashboard.putArray("tags").add("cluster-api").add("capoa");
        dashboard.putObject("time").put("from", "now-6h").put("to", "now");
        dashboard.putObject("annotations").putArray("list");
        dashboard.putArray("links");
        dashboard
                .putObject("templating")
                .putArray("list")
                .addObject()
                .put("name", "datasource")
                .put("label", "Data source")
                .put("type", "datasource")
                .put("query", "prometheus");
        layOut(dashboard.putArray("panels"));
        return new ObjectMapper().writerWithDefaultPrettyPrinter().writeValueAsString(dashboard) + "\n";
    }

    private static void layOut(ArrayNode panels) {
        int y = 0;
        for (Row row : rows()) {
            ObjectNode heading = panels.addObject()
                    .put("id", panels.size())
                    .put("type", "row")
                    .put("title", row.title())
                    .put("collapsed", false);
            place(heading, 0, y, WIDTH, 1);
            heading.putArray("panels");
            y++;
            int width = WIDTH / row.panels().size();
            for (int i = 0; i < row.panels().size(); i++) {
                ObjectNode panel = row.panels().get(i).json(panels.size() + 1);
                place(panel, i * width, y, width, HEIGHT);
                panels.add(panel);
            }
            y += HEIGHT;
        }
    }

    private static void place(ObjectNode panel, int x, int y, int width, int height) {
        panel.putObject("gridPos").put("x", x).put("y", y).put("w", width).put("h", height);
    }
}
