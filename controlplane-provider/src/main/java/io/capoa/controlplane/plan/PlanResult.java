package io.capoa.controlplane.plan;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.capoa.api.untrusted.UntrustedContent;
import io.capoa.controlplane.plan.NetworkPlan.DnsName;
import io.capoa.controlplane.plan.PlanFinding.Severity;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The plans of all Clusters of an input.
 *
 * @param findings of no Cluster: what cannot be read, and objects that no Cluster refers to
 */
public record PlanResult(List<InstallationPlan> clusters, List<PlanFinding> findings) {

    private static final String NONE = "-";

    /** Plans, see {@link InstallationPlan#of}. */
    public static PlanResult of(PlanInput input, @Nullable Function<String, List<String>> resolver) {
        List<InstallationPlan> clusters = InstallationPlan.of(input, resolver);
        List<PlanFinding> findings = new ArrayList<>(input.unreadable());
        List<PlanFinding> objects = new ArrayList<>();
        input.ofKind("OpenshiftAssistedControlPlane")
                .forEach(subject -> PlanObjects.controlPlane(input, subject, objects));
        input.ofKind("OpenshiftAssistedConfigTemplate")
                .forEach(subject -> PlanObjects.configTemplate(input, subject, objects));
        Set<PlanFinding> planned =
                clusters.stream().flatMap(plan -> plan.findings().stream()).collect(Collectors.toSet());
        objects.stream().filter(finding -> !planned.contains(finding)).forEach(findings::add);
        return new PlanResult(clusters, findings);
    }

    /** How many findings have a severity. */
    public long count(Severity severity) {
        return all().filter(finding -> finding.severity() == severity).count();
    }

    private Stream<PlanFinding> all() {
        return Stream.concat(findings.stream(), clusters.stream().flatMap(plan -> plan.findings().stream()));
    }

    /** As JSON, of the form of the records. */
    String json() {
        try {
            return UntrustedContent.json().writerWithDefaultPrettyPrinter().writeValueAsString(this);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("records of texts can be written", e);
        }
    }

    /** For people. */
    String text() {
        StringBuilder text = new StringBuilder();
        clusters.forEach(plan -> cluster(plan, text));
        findings.forEach(finding -> finding(finding, text));
        return text.append("%d blocking, %d %s, %d unknown\n"
                        .formatted(
                                count(Severity.BLOCKING),
                                count(Severity.WARNING),
                                count(Severity.WARNING) == 1 ? "warning" : "warnings",
                                count(Severity.UNKNOWN)))
                .toString();
    }

    private static void cluster(InstallationPlan plan, StringBuilder text) {
        text.append(plan.cluster()).append('\n');
        if (!plan.hosts().isEmpty()) {
            table(plan.hosts(), text);
        }
        for (DnsName name : plan.names()) {
            text.append("  name %s: %s\n"
                    .formatted(
                            name.name(),
                            name.addresses().isEmpty()
                                    ? "your load balancer or host"
                                    : String.join(", ", name.addresses())));
        }
        plan.findings().forEach(finding -> finding(finding, text));
        text.append('\n');
    }

    private static void table(List<HostPlan.Row> rows, StringBuilder text) {
        List<List<String>> lines = new ArrayList<>();
        lines.add(List.of("HOST", "FOR", "MAC", "DISK", "OBSTACLE"));
        rows.forEach(row -> lines.add(List.of(
                row.host(),
                or(String.join(",", row.pools())),
                or(row.mac()),
                or(row.disk()),
                or(UntrustedContent.quoted(row.obstacle())))));
        int[] widths = new int[lines.getFirst().size()];
        lines.forEach(line -> {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], line.get(i).length());
            }
        });
        for (List<String> line : lines) {
            StringBuilder row = new StringBuilder(" ");
            for (int i = 0; i < widths.length; i++) {
                row.append(' ')
                        .append(line.get(i))
                        .append(" ".repeat(widths[i] - line.get(i).length() + 1));
            }
            text.append(row.toString().stripTrailing()).append('\n');
        }
    }

    private static String or(String value) {
        return value.isEmpty() ? NONE : value;
    }

    private static void finding(PlanFinding finding, StringBuilder text) {
        text.append(finding.severity()).append(' ').append(finding.check().id());
        text.append(' ').append(finding.object());
        text.append(finding.path().isEmpty() ? "\n" : ", " + finding.path() + "\n");
        text.append("  ").append(finding.what());
        text.append(finding.why().isEmpty() ? "\n" : "\n  why: " + finding.why() + "\n");
        text.append("  remedy: ").append(finding.remedy()).append('\n');
    }
}
