package io.capoa.lab.cloud;

import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.Fields;
import io.capoa.lab.host.Instances;
import io.capoa.lab.workload.CloudInstances;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;

/** Describes an instance: to the simulated hosts as hardware, to the cloud controller manager by its cloud's API. */
final class InstanceHardware {

    private InstanceHardware() {}

    /**
     * What boots, in the form in which hosts are described.
     *
     * @param machine the infrastructure machine
     * @param hostname of the instance
     * @param image that it boots
     * @param userData name of a Secret
     * @param metadataService URL
     */
    static BareMetalHost of(
            HasMetadata machine, String hostname, String image, String userData, String metadataService) {
        ObjectMeta metadata = machine.getMetadata();
        Map<String, String> annotations =
                new TreeMap<>(Objects.requireNonNullElse(metadata.getAnnotations(), Map.of()));
        annotations.put(Instances.METADATA_SERVICE, metadataService);
        BareMetalHost host = new BareMetalHost();
        host.setMetadata(new ObjectMetaBuilder()
                .withNamespace(metadata.getNamespace())
                .withName(hostname)
                .withUid(metadata.getUid())
                .withAnnotations(annotations)
                .build());
        host.setAdditionalProperty(
                "spec",
                Map.of(
                        "bootMACAddress", mac(metadata.getUid()),
                        "image", Map.of("url", image, "format", Instances.CLOUD_IMAGE),
                        "userData", Map.of("name", userData, "namespace", metadata.getNamespace())));
        return host;
    }

    /** As the other, of the simulated cloud's own kind: the instance is named as its machine. */
    static BareMetalHost of(LabCloudMachine machine, String userData, String metadataService) {
        return of(
                machine,
                machine.getMetadata().getName(),
                String.valueOf(Fields.string(machine, "spec", "image")),
                userData,
                metadataService);
    }

    static CloudInstances.Instance describe(LabCloudMachine machine, String zone) {
        String name = machine.getMetadata().getName();
        String type = Fields.string(machine, "spec", "instanceType");
        return new CloudInstances.Instance(
                "labcloud:///" + zone + "/i-" + id(machine),
                zone,
                type == null ? "standard" : type,
                List.of(
                        Map.of("type", "InternalIP", "address", Instances.address(of(machine, "", ""))),
                        Map.of("type", "InternalDNS", "address", name),
                        Map.of("type", "Hostname", "address", name)));
    }

    /** A running instance, by what the machine's status says. */
    static CloudInstances.Instance running(LabCloudMachine machine) {
        return describe(machine, String.valueOf(Fields.string(machine, "status", "failureDomain")));
    }

    private static String id(LabCloudMachine machine) {
        return machine.getMetadata().getUid().replace("-", "").substring(0, 17);
    }

    private static String mac(String uid) {
        String digits = UUID.nameUUIDFromBytes(uid.getBytes(java.nio.charset.StandardCharsets.UTF_8))
                .toString()
                .replace("-", "");
        StringBuilder mac = new StringBuilder("02");
        for (int at = 0; at < 10; at += 2) {
            mac.append(':').append(digits, at, at + 2);
        }
        return mac.toString();
    }
}
