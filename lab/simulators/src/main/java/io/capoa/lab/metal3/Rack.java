package io.capoa.lab.metal3;

import io.capoa.api.contract.BareMetalHost;
import io.capoa.lab.controller.Caches;
import io.capoa.lab.controller.WorkingCopy;
import io.capoa.lab.controller.Writes;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Map;
import java.util.TreeMap;

/** A rack of servers: registers BareMetalHosts {@code host-0}, {@code host-1}, … in a namespace. */
public final class Rack {

    private static final String CREDENTIALS = "bmc-credentials";
    private static final int PER_BYTE = 250;

    /** Of a host that is not inspected, and what an inspection would find in it. */
    private static final String INSPECTION = "inspect.metal3.io";

    private static final String HARDWARE = INSPECTION + "/hardwaredetails";

    private final KubernetesClient client;
    private final Writes writes;

    public Rack(KubernetesClient client) {
        this.client = client;
        this.writes = new Writes(client, new Caches(client));
    }

    /**
     * Registers hosts with the numbers {@code from} to {@code from + count - 1}; existing ones are not changed.
     *
     * @param labels labels of each host, for host selectors and failure domains
     */
    public void fill(String namespace, int from, int count, Map<String, String> labels) {
        writes.create(credentials(namespace));
        for (int number = from; number < from + count; number++) {
            writes.create(host(namespace, number, labels));
        }
    }

    private static Secret credentials(String namespace) {
        return new SecretBuilder()
                .withNewMetadata()
                .withName(CREDENTIALS)
                .withNamespace(namespace)
                // Moved with the hosts, as baremetal-operator's are.
                .addToLabels("clusterctl.cluster.x-k8s.io/move", "")
                .endMetadata()
                .withType("Opaque")
                .addToStringData("username", "lab")
                .addToStringData("password", "lab")
                .build();
    }

    /** Registers hosts from {@code host-0} on, without labels. */
    public void fill(String namespace, int count) {
        fill(namespace, 0, count, Map.of());
    }

    /**
     * As {@link #fill(String, int)}, for a baremetal-operator that cannot inspect the hardware of the lab: its users tell it,
     * too, what such hosts are made of.
     */
    public void fillWithoutInspection(String namespace, int count) {
        writes.create(credentials(namespace));
        for (int number = 0; number < count; number++) {
            BareMetalHost host = host(namespace, number, Map.of());
            host.getMetadata().setAnnotations(new TreeMap<>(Map.of(INSPECTION, "disabled")));
            if (writes.create(host)) {
                BareMetalHost registered = client.resource(host).require();
                String hardware = Serialization.asJson(InspectedHardware.of(registered));
                var unused =
                        writes.patch(registered, Map.of("metadata", Map.of("annotations", Map.of(HARDWARE, hardware))));
            }
        }
    }

    /** As {@link #fill(String, int)}; the hosts have been inspected, by no baremetal-operator. */
    public void fillInspected(String namespace, int count) {
        writes.create(credentials(namespace));
        for (int number = 0; number < count; number++) {
            BareMetalHost host = host(namespace, number, Map.of());
            writes.create(host);
            WorkingCopy<BareMetalHost> inspected =
                    new WorkingCopy<>(client.resource(host).require());
            BareMetalHostController.enter(inspected, "available");
            inspected.set(InspectedHardware.of(inspected.read()), "status", "hardware");
            inspected.write(writes);
        }
    }

    /** The host of a number, as {@link #fill} registers it. */
    public static BareMetalHost host(String namespace, int number, Map<String, String> labels) {
        BareMetalHost host = new BareMetalHost();
        host.setMetadata(new ObjectMetaBuilder()
                .withName("host-" + number)
                .withNamespace(namespace)
                .withLabels(new TreeMap<>(labels))
                .build());
        String mac = "52:54:00:%02x:%02x:%02x"
                .formatted(number / (PER_BYTE * PER_BYTE), number / PER_BYTE % PER_BYTE + 1, number % PER_BYTE + 2);
        host.setAdditionalProperties(Map.of(
                "spec",
                Map.of(
                        "online",
                        true,
                        "bootMACAddress",
                        mac,
                        "bootMode",
                        "UEFI",
                        "bmc",
                        Map.of(
                                "address",
                                "redfish-virtualmedia://192.0.2.1/redfish/v1/Systems/" + number,
                                "credentialsName",
                                CREDENTIALS))));
        return host;
    }
}
