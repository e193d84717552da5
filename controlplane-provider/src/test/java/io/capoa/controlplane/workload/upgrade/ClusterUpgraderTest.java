package io.capoa.controlplane.workload.upgrade;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.capoa.api.Annotations;
import io.capoa.api.contract.Fields;
import io.capoa.controlplane.upgrade.ReleaseName;
import io.capoa.controlplane.upgrade.RequestedKubernetes;
import io.capoa.controlplane.upgrade.TargetImage;
import io.capoa.controlplane.upgrade.UpgradeConsent;
import io.capoa.controlplane.upgrade.UpgradeDecision;
import io.capoa.controlplane.upgrade.UpgradeRequest;
import io.capoa.lab.controller.Delays;
import io.capoa.lab.workload.ReleaseCatalogue;
import io.capoa.lab.workload.ReleaseImages;
import io.capoa.lab.workload.ReleaseVersions;
import io.capoa.lab.workload.Workload;
import io.capoa.lab.workload.WorkloadApi;
import io.capoa.lab.workload.WorkloadClusters;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Changes of a ClusterVersion: what is written, and what is not. */
class ClusterUpgraderTest {

    private static final UpgradeDecision.Change ASK =
            new UpgradeDecision.Request(new ReleaseName("4.20.5", "as planned"), false);
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final Map<String, Object> NODE = Map.of(
            "metadata",
            Map.of("name", "m-0", "labels", Map.of("node-role.kubernetes.io/master", "")),
            "status",
            Map.of("conditions", List.of(Map.of("type", "Ready", "status", "True"))));
    private static final String VERSION = "/apis/config.openshift.io/v1/clusterversions/version";

    private WorkloadClusters clusters;
    private Workload workload;

    @BeforeEach
    void start() throws Exception {
        clusters = new WorkloadClusters(0, Delays.none()).start();
        clusters.connect(new ReleaseCatalogue(ReleaseImages.ofNames()));
        workload = clusters.create("one", ReleaseVersions.fromTag("registry.test/ocp-release:4.20.3-x86_64"));
        WorkloadApi kubelet = WorkloadApi.of(workload.kubeletKubeconfig());
        kubelet.send("PUT", "/machines/m-0?role=master", Map.of());
        kubelet.send("POST", "/api/v1/nodes", NODE);
        workload.complete();
        send(Map.of("metadata", Map.of("annotations", Map.of("lab.capoa.io/unsigned", "4.20.5"))));
        await().atMost(SOON)
                .until(() -> String.valueOf(Fields.any(version(), "status", "availableUpdates"))
                        .contains("4.20.5"));
    }

    @AfterEach
    void stop() {
        clusters.close();
    }

    @Test
    void aRequest_isWrittenWithItsMark_andTakenBackWithIt() throws Exception {
        assertThat(proceed("4.20.5", ASK)).isInstanceOf(UpgradeDecision.Request.class);
        Map<String, Object> asked = version();
        assertThat(Fields.text(asked, "spec", "desiredUpdate", "version")).isEqualTo("4.20.5");
        assertThat(mark(asked)).isEqualTo("4.20.5 " + Fields.text(asked, "spec", "desiredUpdate", "image"));
        await().atMost(SOON).until(() -> proceed("4.20.5", ASK) instanceof UpgradeDecision.Stuck);

        UpgradeDecision.Change back = new UpgradeDecision.Withdraw(new ReleaseName("4.20.5", "as planned"));
        assertThat(proceed("4.20.3", back)).isInstanceOf(UpgradeDecision.Withdraw.class);
        assertThat(Fields.any(version(), "spec", "desiredUpdate")).isNull();
        assertThat(mark(version())).isEmpty();
    }

    @Test
    void anotherChangeThanTheOneThatWasChecked_isNotMade() throws Exception {
        assertThat(proceed("4.20.5", new UpgradeDecision.SetChannel("stable-4.21")))
                .isInstanceOf(UpgradeDecision.Moving.class);
        assertThat(Fields.any(version(), "spec", "desiredUpdate")).isNull();
    }

    private UpgradeDecision proceed(String target, UpgradeDecision.Change planned) {
        return ClusterUpgrader.proceed(
                Base64.getEncoder().encodeToString(workload.kubeconfig().getBytes(StandardCharsets.UTF_8)),
                new UpgradeRequest(
                        target, null, null, RequestedKubernetes.NONE, new TargetImage.Resolving(), UpgradeConsent.NONE),
                planned,
                () -> null);
    }

    private static String mark(Map<String, Object> version) {
        return Fields.text(version, "metadata", "annotations", Annotations.REQUESTED_UPDATE);
    }

    private Map<String, Object> version() throws IOException, InterruptedException {
        return workload.api().send("GET", VERSION, Map.of()).body();
    }

    private void send(Map<String, Object> patch) throws IOException, InterruptedException {
        assertThat(workload.api().send("PATCH", VERSION, patch).code()).isEqualTo(200);
    }
}
