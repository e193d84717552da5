package io.capoa.controlplane.plan;

import io.capoa.api.Annotations;
import io.capoa.api.conditions.Condition;
import io.capoa.api.conditions.PlannedFinding;
import io.capoa.api.controlplane.v1beta1.ControlPlaneConditions;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.api.untrusted.UntrustedContent;
import io.capoa.controlplane.plan.PlanFinding.Severity;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a plan means for the installation, as condition {@code InstallationPlanned} shows it.
 *
 * @param status of the condition; {@code False} keeps the installation from beginning
 * @param message a line for each {@link PlannedFinding}, under the title of its severity, and for all else
 */
public record PlanVerdict(String status, String reason, String message) {

    /** Findings that a message describes. */
    private static final int NAMED = 3;

    /** What cannot be known of hosts; all else that a plan does not know, the reconcile finds out. */
    private static final Set<PlanCheck> NOTED =
            Set.of(PlanCheck.HOST_NOT_SETTLED, PlanCheck.HOST_NOT_INSPECTED, PlanCheck.HOSTS_NOT_GIVEN);

    /** Keeps the installation from beginning. */
    public boolean blocks() {
        return status.equals(Condition.FALSE);
    }

    /** That of a plan that could not be made. */
    public static PlanVerdict unknown(String why) {
        return new PlanVerdict(Condition.UNKNOWN, ControlPlaneConditions.PLAN_INCOMPLETE, why);
    }

    /**
     * The verdict.
     *
     * @param unread why some kinds could not be read
     */
    public static PlanVerdict of(
            InstallationPlan plan, List<String> unread, OpenshiftAssistedControlPlane controlPlane) {
        Set<String> names = names(controlPlane);
        List<PlanFinding> blocking = of(plan, Severity.BLOCKING);
        List<PlanFinding> open = blocking.stream()
                .filter(finding -> !names.contains(finding.check().id()))
                .toList();
        List<PlanFinding> accepted =
                blocking.stream().filter(finding -> !open.contains(finding)).toList();
        String wrong = wrong(names);
        if (!open.isEmpty()) {
            return new PlanVerdict(
                    Condition.FALSE,
                    ControlPlaneConditions.BLOCKING_FINDINGS,
                    joined(
                            listed(PlannedFinding.Severity.BLOCKING, open),
                            acceptance(controlPlane, names, open),
                            wrong));
        }
        String warnings = listed(PlannedFinding.Severity.WARNING, of(plan, Severity.WARNING));
        if (!unread.isEmpty()) {
            return unknown(joined("not all was planned: " + String.join("; ", unread), warnings, wrong));
        }
        String notes = notes(of(plan, Severity.UNKNOWN));
        return accepted.isEmpty()
                ? new PlanVerdict(
                        Condition.TRUE, ControlPlaneConditions.INSTALLATION_PLANNED, joined(warnings, notes, wrong))
                : new PlanVerdict(
                        Condition.TRUE,
                        ControlPlaneConditions.FINDINGS_ACCEPTED,
                        joined(listed(PlannedFinding.Severity.ACCEPTED, accepted), warnings, notes, wrong));
    }

    private static List<PlanFinding> of(InstallationPlan plan, Severity severity) {
        return plan.findings().stream()
                .filter(finding -> finding.severity() == severity)
                .toList();
    }

    private static Set<String> names(OpenshiftAssistedControlPlane controlPlane) {
        String value =
                Objects.requireNonNullElse(Annotations.value(controlPlane, Annotations.ACCEPT_PLAN_FINDINGS), "");
        return Arrays.stream(value.split(",", -1))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .collect(Collectors.toUnmodifiableSet());
    }

    private static String wrong(Set<String> names) {
        Set<String> known = Arrays.stream(PlanCheck.values()).map(PlanCheck::id).collect(Collectors.toSet());
        String wrong = names.stream()
                .filter(name -> !known.contains(name))
                .sorted()
                .limit(NAMED)
                .map(UntrustedContent::quoted)
                .collect(Collectors.joining(", "));
        return wrong.isEmpty()
                ? ""
                : "annotation %s names no finding with %s: write names as in this message, host-disk for example"
                        .formatted(Annotations.ACCEPT_PLAN_FINDINGS, wrong);
    }

    /** What is accepted already stays in the annotation. */
    private static String acceptance(
            OpenshiftAssistedControlPlane controlPlane, Set<String> names, List<PlanFinding> open) {
        String all = Stream.concat(
                        names.stream(), open.stream().map(PlanFinding::check).map(PlanCheck::id))
                .filter(name -> Arrays.stream(PlanCheck.values())
                        .anyMatch(check -> check.id().equals(name)))
                .distinct()
                .sorted()
                .collect(Collectors.joining(","));
        return "To install nevertheless: kubectl annotate oacp -n %s %s %s=%s --overwrite"
                .formatted(
                        controlPlane.getMetadata().getNamespace(),
                        controlPlane.getMetadata().getName(),
                        Annotations.ACCEPT_PLAN_FINDINGS,
                        all);
    }

    private static String notes(List<PlanFinding> unknown) {
        List<PlanFinding> noted = unknown.stream()
                .filter(finding -> NOTED.contains(finding.check()))
                .toList();
        if (noted.isEmpty()) {
            return "";
        }
        return noted.stream().anyMatch(finding -> finding.check() == PlanCheck.HOSTS_NOT_GIVEN)
                ? "there is no BareMetalHost in the namespace, so nothing is known of the hosts"
                : "hosts that are not inspected or not available yet, so that their hardware is not known for certain: %s"
                        .formatted(noted.stream()
                                        .limit(NAMED)
                                        .map(finding -> finding.object().name())
                                        .collect(Collectors.joining(", "))
                                + more(noted.size()));
    }

    private static String listed(PlannedFinding.Severity severity, List<PlanFinding> findings) {
        if (findings.isEmpty()) {
            return "";
        }
        String rest = findings.size() > NAMED
                ? "* %d more, which kubectl capoa plan -n %s shows"
                        .formatted(
                                findings.size() - NAMED,
                                findings.getFirst().object().namespace())
                : "";
        return joined(
                severity.title(),
                findings.stream()
                        .limit(NAMED)
                        .map(finding -> planned(severity, finding).line())
                        .collect(Collectors.joining("\n")),
                rest);
    }

    private static String more(int all) {
        return all > NAMED ? " and %d more".formatted(all - NAMED) : "";
    }

    private static PlannedFinding planned(PlannedFinding.Severity severity, PlanFinding finding) {
        return new PlannedFinding(
                severity,
                finding.check().id(),
                finding.object().kind(),
                finding.object().namespace(),
                finding.object().name(),
                finding.path(),
                finding.what(),
                finding.remedy());
    }

    private static String joined(String... parts) {
        return Stream.of(parts).filter(part -> !part.isEmpty()).collect(Collectors.joining("\n"));
    }
}
