package io.capoa.bootstrap.config;

import io.capoa.api.bootstrap.v1beta1.ConfigConditions;
import io.capoa.api.contract.Agent;
import io.capoa.api.contract.ConditionView;
import io.capoa.api.contract.Fields;
import io.capoa.bootstrap.agent.AgentFields;
import io.capoa.runtime.assisted.FailedValidation;
import io.capoa.runtime.assisted.ValidationGrace.Verdict;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Says in words what assisted-service says of a host: what it waits for, how far it is, what it lacks. */
final class HostReport {

    private static final Pattern TOKEN = Pattern.compile("(api_key=|/byapikey/)[^&\\s\"/]+");

    /** What assisted-service says of every host but the one on which the installation failed. */
    private static final String FELL_WITH_ITS_CLUSTER = "part of a cluster that failed to install";

    private HostReport() {}

    /**
     * Why the host is not installed; empty when it is.
     *
     * @param checks which of its failing checks count
     * @param joins whether it joins a cluster that is installed
     */
    static Optional<Hindrance> hindrance(Agent agent, Verdict checks, boolean joins) {
        String reason = ConditionView.of(agent, "Installed")
                .map(installed -> installed.isTrue() ? "" : installed.reason())
                .orElse("InstallationNotStarted");
        String host = name(agent);
        return switch (reason) {
            case "" -> Optional.empty();
            case "InstallationFailed" -> Optional.of(failed(agent, host, joins));
            case "InstallationInProgress" ->
                Optional.of(new Hindrance(ConfigConditions.INSTALLING, host + ": " + progress(agent)));
            default -> Optional.of(notBegun(agent, host, checks));
        };
    }

    /** The failing checks of a host that is not being installed; assisted-service's summary where it names none. */
    static List<FailedValidation> failing(Agent agent) {
        if (condition(agent, "Validated")
                .filter(validated -> validated.reason().equals("ValidationsFailing"))
                .isEmpty()) {
            return List.of();
        }
        return Fields.map(agent, "status", "validationsInfo").isEmpty()
                ? List.of(new FailedValidation(
                        "", condition(agent, "Validated").orElseThrow().message()))
                : FailedValidation.of(agent);
    }

    private static Hindrance failed(Agent agent, String host, boolean joins) {
        String message =
                condition(agent, "Installed").map(ConditionView::message).orElse("");
        if (message.contains(FELL_WITH_ITS_CLUSTER)) {
            return new Hindrance(
                    ConfigConditions.CLUSTER_INSTALLATION_FAILED,
                    host + ": the installation of its cluster has failed; the conditions of the control plane say why");
        }
        String info = info(agent);
        String logs = Fields.string(agent, "status", "debugInfo", "logsURL");
        return new Hindrance(
                ConfigConditions.INSTALLATION_FAILED,
                withoutTokens(host + ": " + (message.isEmpty() ? "the installation failed" : message)
                        + (info.isEmpty() || message.contains(info) ? "" : " (" + info + ")")
                        + (logs == null
                                ? ""
                                : "; logs: status.debugInfo.logsURL of Agent "
                                        + agent.getMetadata().getName())
                        // An installation that fails as a whole is tried again as a whole: the control plane says how.
                        + (joins ? ". Delete the Machine to have the host installed again" : "")));
    }

    private static Hindrance notBegun(Agent agent, String host, Verdict checks) {
        if (AgentFields.isDisconnected(agent)) {
            return new Hindrance(
                    ConfigConditions.AGENT_DISCONNECTED,
                    host + " no longer answers assisted-service: check its power and its network");
        }
        Optional<ConditionView> validated = condition(agent, "Validated");
        if (!checks.lasting().isEmpty()) {
            FailedValidations failed = new FailedValidations(agent, checks.lasting());
            return new Hindrance(
                    ConfigConditions.AGENT_VALIDATION_FAILED,
                    withoutTokens(host + " does not meet what assisted-service asks of it: " + failed.words()
                            + ". What to do: " + failed.remedies() + ". It is checked again without your doing"));
        }
        if (validated.filter(v -> v.reason().equals("ValidationsFailing")).isPresent()) {
            return new Hindrance(ConfigConditions.WAITING_FOR_INSTALLATION, host + ": " + settling(checks.settling()));
        }
        String waiting = validated
                .filter(v -> v.reason().equals("ValidationsUserPending"))
                .or(() -> condition(agent, "RequirementsMet")
                        .filter(v -> v.status().equals("False") && !v.reason().equals("AgentIsNotApproved")))
                .map(ConditionView::message)
                .orElse("the installation has not begun");
        return new Hindrance(ConfigConditions.WAITING_FOR_INSTALLATION, withoutTokens(host + ": " + waiting));
    }

    private static String settling(List<FailedValidation> checks) {
        String ids = checks.stream()
                .map(FailedValidation::id)
                .filter(id -> !id.isEmpty())
                .sorted()
                .collect(Collectors.joining(", "));
        return "assisted-service still checks it" + (ids.isEmpty() ? "" : "; not met so far: " + ids);
    }

    private static String progress(Agent agent) {
        String stage = Fields.string(agent, "status", "progress", "currentStage");
        Integer percent = Fields.integer(agent, "status", "progress", "installationPercentage");
        String info = info(agent);
        // Only then does the service's own text say more than stage and percentage.
        boolean asksForAction =
                "installing-pending-user-action".equals(Fields.string(agent, "status", "debugInfo", "state"));
        return (stage == null ? "preparing" : stage)
                + (percent == null ? "" : " (" + percent + "%)")
                + (asksForAction && !info.isEmpty() ? ", waiting for you: " + withoutTokens(info) : "");
    }

    /** The host as people know it, by the name it has or was given. */
    static String name(Agent agent) {
        @Nullable String hostname = Fields.string(agent, "spec", "hostname");
        if (hostname == null) {
            hostname = Fields.string(agent, "status", "inventory", "hostname");
        }
        return "Host " + (hostname == null ? agent.getMetadata().getName() : hostname);
    }

    /** A text of assisted-service that is safe to show. */
    static String withoutTokens(String text) {
        return TOKEN.matcher(text).replaceAll("$1…");
    }

    private static Optional<ConditionView> condition(Agent agent, String type) {
        return ConditionView.of(agent, type);
    }

    private static String info(Agent agent) {
        return Objects.requireNonNullElse(Fields.string(agent, "status", "debugInfo", "stateInfo"), "");
    }
}
