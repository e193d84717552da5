package io.capoa.controlplane.machines;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import io.capoa.api.controlplane.v1beta1.MachineTemplate;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decides whether a Machine is what the control plane's spec asks for, and if not, why. */
public final class UpToDate {

    private static final ObjectMapper JSON = new ObjectMapper();

    private UpToDate() {}

    /**
     * Sentences without a full stop that say how the Machine differs; empty for one that is up to date.
     *
     * @param config the Machine's config, {@code null} if there is none
     */
    public static List<String> differences(
            ControlPlaneIdentity identity, Machine machine, @Nullable OpenshiftAssistedConfig config) {
        List<String> differences = new ArrayList<>();
        MachineTemplate.Spec template =
                identity.controlPlane().getSpec().machineTemplate().spec();
        if (!derives(
                JSON.valueToTree(ControlPlaneMachine.deletion(template.deletion())),
                JSON.valueToTree(Fields.map(machine, "spec", "deletion")))) {
            differences.add("Machine has other deletion timeouts than spec.machineTemplate.spec.deletion");
        }
        if (config == null) {
            differences.add("OpenshiftAssistedConfig " + machine.getMetadata().getName() + " does not exist");
        } else if (!derives(JSON.valueToTree(BootstrapConfig.wanted(identity)), JSON.valueToTree(config.getSpec()))) {
            differences.add("OpenshiftAssistedConfig differs from spec.openshiftAssistedConfigSpec");
        }
        return differences;
    }

    /** Whether every field that is wanted is there with that value; fields that are not mentioned do not count. */
    private static boolean derives(JsonNode wanted, JsonNode actual) {
        if (wanted.isNull()) {
            return true;
        }
        if (!wanted.isObject()) {
            return wanted.equals(actual);
        }
        return wanted.properties().stream().allMatch(field -> derives(field.getValue(), actual.path(field.getKey())));
    }
}
