package io.capoa.controlplane.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.controlplane.plan.PlanFinding.Severity;
import io.capoa.lint.manifest.ManifestFile;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The plan of a cluster of a hundred hosts: complete, each finding once, and within seconds. */
class LargePlanTest {

    private static final int HOSTS = 100;
    private static final Duration LONGEST = Duration.ofSeconds(30);

    @Test
    void aHundredHosts_arePlanned() {
        PlanResult result = timed(yaml());

        assertThat(result.count(Severity.BLOCKING)).isZero();
        assertThat(result.clusters().getFirst().hosts())
                .hasSize(HOSTS)
                .allSatisfy(row -> assertThat(row.pools()).hasSize(1));
    }

    @Test
    void aHundredHosts_ofTheWrongArchitecture_areAFindingEach() {
        PlanResult result = timed(yaml().replace("arch: x86_64", "arch: aarch64"));

        assertThat(result.clusters().getFirst().findings())
                .filteredOn(finding -> finding.check() == PlanCheck.HOST_ARCHITECTURE)
                .hasSize(HOSTS)
                .doesNotHaveDuplicates();
    }

    private static String yaml() {
        // One of each kind stays as a spare.
        return PlanFixture.cluster().replace("replicas: 2", "replicas: " + (HOSTS - 5)) + PlanFixture.hosts(HOSTS);
    }

    /** Without the start of Java; docs/plan.md names the time. */
    private static PlanResult timed(String yaml) {
        PlanInput input = PlanInput.of(List.of(new ManifestFile("plan.yaml", yaml)), "default");
        long start = System.nanoTime();
        PlanResult result = PlanResult.of(input, null);
        Duration took = Duration.ofNanos(System.nanoTime() - start);
        System.out.println("A plan of " + HOSTS + " hosts took " + took.toMillis() + " ms.");
        assertThat(took).isLessThan(LONGEST);
        return result;
    }
}
