package io.capoa.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TestClustersTest {

    @Test
    void whenTheChoiceIsUnknown_namesThePossibleOnes() {
        assertThatExceptionOfType(ClusterException.class)
                .isThrownBy(() -> TestClusters.select("minikube", List.of()))
                .withMessageContaining("capoa.cluster=minikube")
                .withMessageContaining("local, k3s or existing");
    }

    @Test
    void whenAKubeconfigIsNamed_thatOneIsUsed() {
        assertThat(TestClusters.currentKubeconfig(Map.of("KUBECONFIG", "some/file")))
                .isEqualTo(Path.of("some/file"));
        assertThat(TestClusters.currentKubeconfig(Map.of())).endsWithRaw(Path.of(".kube", "config"));
    }
}
