package io.capoa.lab.cloud;

import io.capoa.api.contract.Fields;
import io.capoa.lab.workload.CloudInstances;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** An infrastructure machine of any provider, read by the fields of Cluster API's contract alone. */
record ForeignMachine(GenericKubernetesResource object) {

    private static final String UNKNOWN = "unknown";

    /** Whether the provider says that the instance has been started. */
    boolean isProvisioned() {
        return Fields.isTrue(object, "status", "initialization", "provisioned") && providerId() != null;
    }

    @Nullable
    String providerId() {
        return Fields.string(object, "spec", "providerID");
    }

    String uid() {
        return object.getMetadata().getUid();
    }

    /** Name of the instance, which its Node gets: the address of type Hostname or InternalDNS, else the object's name. */
    String hostname() {
        return Stream.of("Hostname", "InternalDNS")
                .flatMap(type -> addresses().stream()
                        .filter(address -> type.equals(address.get("type")))
                        .map(address -> address.getOrDefault("address", "")))
                .filter(name -> !name.isEmpty())
                .findFirst()
                .orElse(object.getMetadata().getName())
                .toLowerCase(Locale.ROOT);
    }

    /**
     * What the cloud's API says about the instance.
     *
     * @param asked failure domain of the Machine, which is the zone unless the provider's status names one
     */
    CloudInstances.Instance instance(@Nullable String asked) {
        String zone = Optional.ofNullable(Fields.string(object, "status", "failureDomain"))
                .or(() -> Optional.ofNullable(asked))
                .orElse(UNKNOWN);
        return new CloudInstances.Instance(String.valueOf(providerId()), zone, UNKNOWN, addresses());
    }

    private List<Map<String, String>> addresses() {
        return Fields.list(object, "status", "addresses").stream()
                .filter(address -> Fields.any(address, "type") instanceof String
                        && Fields.any(address, "address") instanceof String)
                .map(address -> Map.of(
                        "type", String.valueOf(Fields.any(address, "type")),
                        "address", String.valueOf(Fields.any(address, "address"))))
                .toList();
    }
}
