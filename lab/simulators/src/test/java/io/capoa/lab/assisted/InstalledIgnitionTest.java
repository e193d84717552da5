package io.capoa.lab.assisted;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.contract.Fields;
import io.capoa.lab.controller.Key;
import io.capoa.lab.workload.ReleaseVersions;
import io.capoa.lab.workload.Workload;
import io.capoa.lab.workload.WorkloadClusters;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The ignition of an installed host. */
@Tag("full")
class InstalledIgnitionTest {

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theKubelet_hasAnExternalCloudProvider_whereTheClusterHas(boolean external) throws IOException {
        try (WorkloadClusters clusters = new WorkloadClusters(0).start()) {
            Workload workload =
                    clusters.create("one", ReleaseVersions.fromTag("registry.test/ocp-release:4.20.3-x86_64"));
            HostRecord host = new HostRecord(new Key("ns", "h"), "infra-env", Map.of());
            host.role = external ? InstallInputs.ARBITER : InstallInputs.MASTER;

            Object units = Fields.any(
                    InstalledIgnition.of(host, workload, new InstalledIgnition.Nodes(false, external)),
                    "systemd",
                    "units");

            String unit = String.valueOf(Fields.any(((List<?>) units).getFirst(), "contents"));
            assertThat(unit.contains("--cloud-provider=external --v=2")).isEqualTo(external);
            assertThat(unit).contains("--v=2\nRestart=always").doesNotContain("@");
            assertThat(unit.contains("CUSTOM_KUBELET_LABELS"))
                    .as("the arbiter's kubelet reads no labels")
                    .isEqualTo(!external);
        }
    }
}
