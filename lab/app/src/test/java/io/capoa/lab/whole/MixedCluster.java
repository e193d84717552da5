package io.capoa.lab.whole;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** The multi-node sample with workers of the simulated cloud. */
final class MixedCluster {

    private static final String WORKER = "multinode-worker";

    private MixedCluster() {}

    static String of(String sample) {
        return Arrays.stream(sample.split("(?m)^---\\s*$"))
                .filter(document -> document.lines().anyMatch(line -> !line.isBlank() && !line.startsWith("#")))
                .map(document -> Serialization.asYaml(
                        changed(Serialization.unmarshal(document, GenericKubernetesResource.class))))
                .collect(Collectors.joining("\n"));
    }

    private static GenericKubernetesResource changed(GenericKubernetesResource object) {
        String name = object.getMetadata().getName();
        switch (object.getKind()) {
            case "MachineDeployment" -> {
                Map<String, Object> reference = object.get("spec", "template", "spec", "infrastructureRef");
                reference.put("apiGroup", "infrastructure.lab.capoa.io");
                reference.put("kind", "LabCloudMachineTemplate");
            }
            case "OpenshiftAssistedConfigTemplate" -> {
                Map<String, Object> spec = object.get("spec", "template", "spec");
                spec.put(
                        "nodeRegistration",
                        Map.of(
                                "metadataSource",
                                "OpenStack",
                                "providerID",
                                "labcloud:///$METADATA_ZONE/$METADATA_INSTANCE_ID"));
                spec.remove("hostnamePolicy");
            }
            case "Metal3MachineTemplate" -> {
                if (name.equals(WORKER)) {
                    object.setApiVersion("infrastructure.lab.capoa.io/v1beta1");
                    object.setKind("LabCloudMachineTemplate");
                    object.setAdditionalProperty(
                            "spec",
                            Map.of("template", Map.of("spec", new LinkedHashMap<>(Map.of("image", "rhcos-4.20")))));
                }
            }
            default -> {
                // As in the sample.
            }
        }
        return object;
    }
}
