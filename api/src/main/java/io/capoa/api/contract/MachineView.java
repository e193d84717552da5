package io.capoa.api.contract;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Read view of a Machine. */
public record MachineView(Machine object) implements ObjectView {

    /** Condition of a Machine whose node is ready and healthy. */
    public static final String READY = "Ready";

    /** The view; an absent Machine reads as an empty one. */
    public static MachineView of(@Nullable Machine machine) {
        return new MachineView(Objects.requireNonNullElseGet(machine, Machine::new));
    }

    public @Nullable String clusterName() {
        return Fields.string(object, "spec", "clusterName");
    }

    public @Nullable String failureDomain() {
        return Fields.string(object, "spec", "failureDomain");
    }

    public @Nullable String providerId() {
        return Fields.string(object, "spec", "providerID");
    }

    public Bootstrap bootstrap() {
        return new Bootstrap(Fields.map(object, "spec", "bootstrap"));
    }

    public ContractReference infrastructureRef() {
        return new ContractReference(Fields.map(object, "spec", "infrastructureRef"));
    }

    public boolean isInfrastructureProvisioned() {
        return Fields.isTrue(object, "status", "initialization", "infrastructureProvisioned");
    }

    /** Name of the Machine's Node; {@code null} before the node has joined. */
    public @Nullable String nodeName() {
        return Fields.string(object, "status", "nodeRef", "name");
    }

    /** With a leading {@code v}; {@code null} before the kubelet reports. */
    public @Nullable String kubeletVersion() {
        return Fields.string(object, "status", "nodeInfo", "kubeletVersion");
    }

    public List<MachineAddress> addresses() {
        return MachineAddress.of(object);
    }

    public boolean isReady() {
        return isTrue(READY);
    }
}
