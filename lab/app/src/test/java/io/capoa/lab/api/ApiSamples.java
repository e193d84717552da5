package io.capoa.lab.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;

/** Valid objects of our kinds, with one field changed. */
final class ApiSamples {

    private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();

    private ApiSamples() {}

    static GenericKubernetesResource controlPlane(String name) {
        return object("""
            apiVersion: controlplane.cluster.x-k8s.io/v1beta1
            kind: OpenshiftAssistedControlPlane
            metadata:
              name: %s
              labels:
                cluster.x-k8s.io/cluster-name: prod
            spec:
              distributionVersion: 4.20.3
              replicas: 3
              machineTemplate:
                spec:
                  infrastructureRef:
                    apiGroup: infrastructure.cluster.x-k8s.io
                    kind: Metal3MachineTemplate
                    name: prod-cp
              config:
                baseDomain: example.com
                apiVIPs: [192.168.111.5]
                ingressVIPs: [192.168.111.4]
            """.formatted(name));
    }

    /** {@code spec} is JSON, or {@code null} for none. */
    static GenericKubernetesResource config(String name, String spec) {
        return object("""
            apiVersion: bootstrap.cluster.x-k8s.io/v1beta1
            kind: OpenshiftAssistedConfig
            metadata:
              name: %s
            spec: %s
            """.formatted(name, spec));
    }

    static GenericKubernetesResource object(String yaml) {
        return SERIALIZATION.unmarshal(yaml, GenericKubernetesResource.class);
    }

    /** The object with {@code spec.<field>} set to a value in JSON; {@code null} removes it. */
    static GenericKubernetesResource with(GenericKubernetesResource object, String field, String json) {
        var tree = SERIALIZATION.unmarshal(SERIALIZATION.asJson(object), ObjectNode.class);
        ObjectNode at = tree.withObjectProperty("spec");
        String[] path = field.split("[.]", -1);
        for (int i = 0; i < path.length - 1; i++) {
            at = at.withObjectProperty(path[i]);
        }
        if (json.equals("null")) {
            at.remove(path[path.length - 1]);
        } else {
            at.set(path[path.length - 1], SERIALIZATION.unmarshal(json, JsonNode.class));
        }
        return SERIALIZATION.convertValue(tree, GenericKubernetesResource.class);
    }
}
