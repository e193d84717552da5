package io.capoa.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StoredVersionOnlyTest {

    @Test
    void olderVersionsGoWithTheirConversionAndContractLabel() {
        GenericKubernetesResource definition =
                new KubernetesSerialization().unmarshal("""
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata:
                  name: widgets.example.com
                  labels: {cluster.x-k8s.io/v1beta1: v1alpha1, cluster.x-k8s.io/v1beta2: v1beta1, other: v1alpha1}
                spec:
                  group: example.com
                  conversion: {strategy: Webhook}
                  versions:
                    - {name: v1alpha1, served: true, storage: false}
                    - {name: v1beta1, served: true, storage: true}
                """, GenericKubernetesResource.class);

        GenericKubernetesResource reduced =
                StoredVersionOnly.of(List.of(definition)).getFirst();

        Map<String, Object> spec = reduced.get("spec");
        assertThat(spec)
                .containsEntry("versions", List.of(Map.of("name", "v1beta1", "served", true, "storage", true)))
                .doesNotContainKey("conversion");
        assertThat(reduced.getMetadata().getLabels())
                .isEqualTo(Map.of("cluster.x-k8s.io/v1beta2", "v1beta1", "other", "v1alpha1"));
    }
}
