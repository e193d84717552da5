package io.capoa.lab.dist;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.contract.BareMetalHost;
import io.capoa.controlplane.plan.InstallationPlan;
import io.capoa.controlplane.plan.PlanFinding.Severity;
import io.capoa.controlplane.plan.PlanInput;
import io.capoa.controlplane.plan.PlanResult;
import io.capoa.lab.metal3.InspectedHardware;
import io.capoa.lab.metal3.Rack;
import io.capoa.lint.manifest.ManifestFile;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Samples and templates, on the lab's hosts: an installation that succeeds must not be predicted to fail. */
class PlannedExamplesTest {

    private static final int HOSTS = 10;

    static Stream<ClusterExample> examples() {
        return ClusterExample.all().stream().filter(example -> example.cluster().isPresent() && !example.hasTopology());
    }

    @ParameterizedTest
    @MethodSource("examples")
    void noBlockingFinding_arises(ClusterExample example) {
        String objects = Stream.concat(
                        example.objects().stream(), IntStream.range(0, HOSTS).mapToObj(PlannedExamplesTest::host))
                .map(Serialization::asYaml)
                .collect(Collectors.joining("---\n"));
        PlanResult result =
                PlanResult.of(PlanInput.of(List.of(new ManifestFile(example.name(), objects)), "default"), null);

        assertThat(result.clusters())
                .singleElement()
                .satisfies(plan -> assertThat(plan.hosts()).hasSize(HOSTS));
        assertThat(blocking(result)).isEmpty();
    }

    private static BareMetalHost host(int number) {
        BareMetalHost host = Rack.host("default", number, Map.of());
        Map<String, Object> fields = new HashMap<>(host.getAdditionalProperties());
        fields.put("status", Map.of("hardware", InspectedHardware.of(host)));
        host.setAdditionalProperties(fields);
        return host;
    }

    private static List<String> blocking(PlanResult result) {
        return Stream.concat(
                        result.findings().stream(),
                        result.clusters().stream()
                                .map(InstallationPlan::findings)
                                .flatMap(List::stream))
                .filter(finding -> finding.severity() == Severity.BLOCKING)
                .map(String::valueOf)
                .toList();
    }
}
