package io.capoa.bootstrap.agent;

import io.capoa.api.bootstrap.v1beta1.ConfigConditions;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigStatus.Host;
import io.capoa.api.contract.Agent;
import io.capoa.api.contract.AgentView;
import io.capoa.api.contract.ConditionView;
import io.capoa.runtime.assisted.FailedValidation;
import io.capoa.runtime.assisted.ValidationGrace.Verdict;
import io.capoa.runtime.status.Blocker;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Summarizes assisted-service's view of a host for conditions: what it waits for, its progress, and what it lacks.
 */
public final class HostReport {

    private static final Pattern TOKEN = Pattern.compile("(api_key=|/byapikey/)[^&\\s\"/]+");

    /** assisted-service's message on every host but the one on which the installation failed. */
    private static final String FELL_WITH_ITS_CLUSTER = "part of a cluster that failed to install";

    private static final String FAILED = "InstallationFailed";
    private static final String IN_PROGRESS = "InstallationInProgress";

    /** Longest host name by the schema. */
    private static final int LONGEST = 253;

    private static final String WAITING_FOR_YOU = ", waiting for you: ";

    private static final Host UNNAMED = new Host(null, null, null);

    private HostReport() {}

    /**
     * Why the host is not installed; empty when it is.
     *
     * @param checks which of its failing checks count
     * @param joins whether it joins a cluster that is installed
     */
    public static Optional<Blocker> blocker(Agent agent, Verdict checks, boolean joins) {
        String host = name(agent);
        return switch (progressReason(agent)) {
            case "" -> Optional.empty();
            case FAILED -> Optional.of(failed(agent, host, joins));
            case IN_PROGRESS -> Optional.of(new Blocker(ConfigConditions.INSTALLING, host + ": " + progress(agent)));
            default -> Optional.of(notBegun(agent, host, checks));
        };
    }

    /** Name, stage and percentage of the host, as far as its {@link #blocker} says them too; {@code null} if it says none. */
    public static @Nullable Host host(Agent agent) {
        AgentView view = AgentView.of(agent);
        boolean begun = Set.of(FAILED, IN_PROGRESS).contains(progressReason(agent));
        String stage = begun ? fitting(view.currentStage()) : null;
        Host host = new Host(fitting(view.hostname()), stage, stage == null ? null : view.installationPercentage());
        return host.equals(UNNAMED) ? null : host;
    }

    /** A host reports its name itself: what the schema refuses would keep the status from being written. */
    private static @Nullable String fitting(@Nullable String text) {
        return text == null || text.isEmpty() ? null : text.substring(0, Math.min(text.length(), LONGEST));
    }

    /** Reason of the Agent's condition Installed; empty when it is True. */
    private static String progressReason(Agent agent) {
        return condition(agent, "Installed")
                .map(installed -> installed.isTrue() ? "" : installed.reason())
                .orElse("InstallationNotStarted");
    }

    /** The failing checks of a host that is not being installed; assisted-service's summary where it names none. */
    public static List<FailedValidation> failing(Agent agent) {
        if (condition(agent, "Validated")
                .filter(validated -> validated.reason().equals("ValidationsFailing"))
                .isEmpty()) {
            return List.of();
        }
        return !FailedValidation.areListed(agent)
                ? List.of(new FailedValidation(
                        "", condition(agent, "Validated").orElseThrow().message()))
                : FailedValidation.of(agent);
    }

    private static Blocker failed(Agent agent, String host, boolean joins) {
        String message =
                condition(agent, "Installed").map(ConditionView::message).orElse("");
        if (message.contains(FELL_WITH_ITS_CLUSTER)) {
            return new Blocker(
                    ConfigConditions.CLUSTER_INSTALLATION_FAILED,
                    host + ": the installation of its cluster has failed; the conditions of the control plane say why");
        }
        String info = info(agent);
        String logs = AgentView.of(agent).logsUrl();
        return new Blocker(
                ConfigConditions.INSTALLATION_FAILED,
                withoutTokens(host
                        + cause(message)
                        + (info.isEmpty() || message.contains(info) ? "" : " (" + info + ")")
                        + (logs == null
                                ? ""
                                : "; logs: status.debugInfo.logsURL of Agent "
                                        + agent.getMetadata().getName())
                        // A failed cluster installation is retried as a whole; the control plane's message says how.
                        + (joins ? ". Delete the Machine to have the host installed again" : "")));
    }

    /** assisted-service says three times that it failed: "The installation has failed: Failed - failed at stage …". */
    private static String cause(String message) {
        String cause =
                message.replaceFirst("^The installation has failed: ", "").replaceFirst("^Failed - ", "");
        if (cause.startsWith("failed ")) {
            return " " + cause;
        }
        return ": the installation failed" + (cause.isEmpty() ? "" : ": " + cause);
    }

    private static Blocker notBegun(Agent agent, String host, Verdict checks) {
        if (AgentFields.isDisconnected(agent)) {
            return new Blocker(
                    ConfigConditions.AGENT_DISCONNECTED,
                    host + " no longer responds to assisted-service: check its power and network");
        }
        Optional<ConditionView> validated = condition(agent, "Validated");
        if (!checks.lasting().isEmpty()) {
            FailedValidations failed = new FailedValidations(agent, checks.lasting());
            return new Blocker(
                    ConfigConditions.AGENT_VALIDATION_FAILED,
                    withoutTokens(host + " fails validations of assisted-service: " + failed.words() + ". What to do: "
                            + failed.remedies() + ". It is validated again automatically"));
        }
        if (validated.filter(v -> v.reason().equals("ValidationsFailing")).isPresent()) {
            return new Blocker(ConfigConditions.WAITING_FOR_INSTALLATION, host + ": " + settling(checks.settling()));
        }
        String waiting = validated
                .filter(v -> v.reason().equals("ValidationsUserPending"))
                .or(() -> condition(agent, "RequirementsMet")
                        .filter(v -> v.status().equals("False") && !v.reason().equals("AgentIsNotApproved")))
                .map(ConditionView::message)
                .orElse("the installation has not started");
        return new Blocker(ConfigConditions.WAITING_FOR_INSTALLATION, withoutTokens(host + ": " + waiting));
    }

    private static String settling(List<FailedValidation> checks) {
        String ids = checks.stream()
                .map(FailedValidation::id)
                .filter(id -> !id.isEmpty())
                .sorted()
                .collect(Collectors.joining(", "));
        return "assisted-service is still validating it" + (ids.isEmpty() ? "" : "; failing so far: " + ids);
    }

    /** Whether the host is being installed and waits for no action of a user. */
    public static boolean isProgress(Agent agent) {
        return progressReason(agent).equals(IN_PROGRESS) && !asksForAction(agent);
    }

    private static boolean asksForAction(Agent agent) {
        return "installing-pending-user-action".equals(AgentView.of(agent).state());
    }

    private static String progress(Agent agent) {
        String stage = AgentView.of(agent).currentStage();
        Integer percent = AgentView.of(agent).installationPercentage();
        String info = info(agent);
        // Otherwise the service's text adds nothing to stage and percentage.
        return (stage == null ? "preparing" : stage)
                + (percent == null ? "" : " (" + percent + "%)")
                + (asksForAction(agent) && !info.isEmpty() ? WAITING_FOR_YOU + withoutTokens(info) : "");
    }

    /** Whether the message of a host that is being installed says that the user has to act, as with a wrong boot order. */
    public static boolean asksForAction(String message) {
        return message.contains(WAITING_FOR_YOU);
    }

    /** The host by its name, or by its Agent's while it has none. */
    public static String name(Agent agent) {
        String hostname = AgentView.of(agent).hostname();
        return "Host " + (hostname == null ? agent.getMetadata().getName() : hostname);
    }

    /** A text of assisted-service without tokens. */
    public static String withoutTokens(String text) {
        return TOKEN.matcher(text).replaceAll("$1…");
    }

    private static Optional<ConditionView> condition(Agent agent, String type) {
        return ConditionView.of(agent, type);
    }

    private static String info(Agent agent) {
        return AgentView.of(agent).stateInfo();
    }
}
