package io.capoa.controlplane.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.capoa.api.Annotations;
import io.capoa.api.conditions.PlannedFinding;
import io.capoa.api.conditions.PlannedFinding.Severity;
import io.capoa.controlplane.testing.Objects;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What condition InstallationPlanned says of a plan. */
class PlanVerdictTest {

    private static final String GOOD = PlanFixture.cluster() + PlanFixture.hosts();

    @Test
    void withoutFindings_nothingIsSaid() {
        assertThat(verdict(GOOD, "", List.of())).isEqualTo(new PlanVerdict("True", "InstallationPlanned", ""));
    }

    @Test
    void blockingFindings_areNamed_withRemedyAndAnnotation() {
        PlanVerdict verdict = verdict(GOOD.replace("count: 16", "count: 2"), "", List.of());

        assertThat(verdict.blocks()).isTrue();
        assertThat(verdict.reason()).isEqualTo("BlockingFindings");
        assertThat(verdict.message())
                .startsWith("no host is taken, because the installation would fail:\n* host-cpu: BareMetalHost"
                        + " default/host-0: has 2 CPUs")
                .contains("remedy: keep it from the pool by spec.hostSelector of")
                .contains("\n* 1 more, which kubectl capoa plan -n default shows\n")
                .endsWith("To install nevertheless: kubectl annotate oacp -n ns cp %s=host-cpu --overwrite"
                        .formatted(Annotations.ACCEPT_PLAN_FINDINGS));
    }

    /** The page shows them as a table. */
    @Test
    void itsFindings_canBeReadFromTheMessage() {
        String yaml = GOOD.replace("count: 16", "count: 2").replace("replicas: 2", "replicas: 3");
        List<PlannedFinding> findings =
                PlannedFinding.in(verdict(yaml, "host-cpu", List.of()).message());

        assertThat(findings)
                .extracting(PlannedFinding::severity, PlannedFinding::check, PlannedFinding::kind, PlannedFinding::path)
                .containsExactly(
                        tuple(Severity.ACCEPTED, "host-cpu", "BareMetalHost", ""),
                        tuple(Severity.ACCEPTED, "host-cpu", "BareMetalHost", ""),
                        tuple(Severity.ACCEPTED, "host-cpu", "BareMetalHost", ""),
                        tuple(Severity.WARNING, "spare-host", "MachineDeployment", "spec.replicas"));
        assertThat(findings.getFirst().what()).startsWith("has 2 CPUs");
        assertThat(findings.getFirst().remedy()).startsWith("keep it from the pool by spec.hostSelector of");
    }

    @Test
    void acceptedFindings_doNotBlock_andOthersDo() {
        String two = GOOD.replace("count: 16", "count: 2").replace("32768", "4096");

        PlanVerdict one = verdict(two, "host-cpu", List.of());
        assertThat(one.blocks()).isTrue();
        assertThat(one.message())
                .contains("would fail:\n* host-memory", "=host-cpu,host-memory --overwrite")
                .doesNotContain("host-cpu: ");

        PlanVerdict both = verdict(two, " host-cpu , host-memory", List.of());
        assertThat(both.status()).isEqualTo("True");
        assertThat(both.reason()).isEqualTo("FindingsAccepted");
        assertThat(both.message()).startsWith("accepted:\n* host-cpu: ").contains("\n* host-memory: ");
    }

    @Test
    void aWrongName_isSaid_whateverElseIs() {
        String said = "annotation %s names no finding with host-disks: write names as in this message"
                .formatted(Annotations.ACCEPT_PLAN_FINDINGS);
        assertThat(verdict(GOOD, "host-disks", List.of()).message()).startsWith(said);
        assertThat(verdict(GOOD.replace("count: 16", "count: 2"), "host-disks", List.of())
                        .message())
                .contains(said)
                .contains("=host-cpu --overwrite");
        assertThat(verdict(GOOD, "host-disks", List.of("no right")).message()).contains(said);
    }

    @Test
    void whatIsNotKnown_blocksNothing() {
        PlanVerdict uninspected = verdict(PlanFixture.cluster() + PlanFixture.uninspectedHosts(), "", List.of());
        assertThat(uninspected.status()).isEqualTo("True");
        assertThat(uninspected.message())
                .startsWith("hosts that are not inspected or not available yet")
                .endsWith(": host-0, host-1, host-2 and 4 more");

        PlanVerdict unread = verdict(GOOD, "", List.of("grant verb list"));
        assertThat(unread)
                .isEqualTo(new PlanVerdict("Unknown", "PlanIncomplete", "not all was planned: grant verb list"));

        assertThat(verdict(PlanFixture.cluster(), "", List.of()).message()).contains("no BareMetalHost");
    }

    @Test
    void warnings_areNamed() {
        assertThat(verdict(GOOD.replace("replicas: 2", "replicas: 3"), "", List.of())
                        .message())
                .startsWith("warnings:\n* spare-host: MachineDeployment default/prod-workers, spec.replicas: ");
    }

    private static PlanVerdict verdict(String yaml, String accepted, List<String> unread) {
        String annotations =
                accepted.isEmpty() ? "{}" : "{%s: '%s'}".formatted(Annotations.ACCEPT_PLAN_FINDINGS, accepted);
        return PlanVerdict.of(
                PlanFixture.plan(yaml).clusters().getFirst(),
                unread,
                Objects.identity(annotations, "").controlPlane());
    }
}
