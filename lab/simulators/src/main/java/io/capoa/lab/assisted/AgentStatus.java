package io.capoa.lab.assisted;

import java.util.LinkedHashMap;
import java.util.Map;

/** Computes the status of an Agent from its host. */
final class AgentStatus {

    private AgentStatus() {}

    static Map<String, Object> of(HostRecord host, Published published, ServiceApi api) {
        Map<String, Object> status = new LinkedHashMap<>();
        status.put("conditions", published.conditions(AgentConditions.of(host)));
        Map<String, Object> debug = new LinkedHashMap<>();
        debug.put("state", host.state.word());
        debug.put("stateInfo", info(host));
        if (host.eventsUrl.isEmpty()) {
            host.eventsUrl = api.hostEventsUrl(host);
        }
        debug.put("eventsURL", host.eventsUrl);
        status.put("debugInfo", debug);
        if (!host.validations.isEmpty()) {
            status.put("validationsInfo", HostValidations.toStatus(host.validations));
        }
        status.put("inventory", host.inventory);
        status.put("kind", host.addedLater ? "AddToExistingClusterHost" : "Host");
        status.put("role", host.role.isEmpty() ? host.wish.role() : host.role);
        status.put("bootstrap", host.bootstrap);
        status.put("installation_disk_id", host.disk());
        if (!host.stages.isEmpty()) {
            status.put("progress", progress(host));
        }
        return status;
    }

    private static String info(HostRecord host) {
        return switch (host.state) {
            case ERROR -> host.failure;
            case INSUFFICIENT -> host.state.info() + HostValidations.failures(host.validations);
            default -> host.state.info();
        };
    }

    private static Map<String, Object> progress(HostRecord host) {
        Map<String, Object> progress = new LinkedHashMap<>();
        progress.put("progressStages", host.stages);
        progress.put("installationPercentage", Stages.percent(host.stages, host.stage));
        if (!host.stage.isEmpty()) {
            progress.put("currentStage", host.stage);
        }
        return progress;
    }
}
