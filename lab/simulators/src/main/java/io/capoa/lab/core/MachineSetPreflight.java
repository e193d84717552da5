package io.capoa.lab.core;

import io.capoa.api.contract.Fields;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Preflight check ControlPlaneIsStable of MachineSets. */
final class MachineSetPreflight {

    private MachineSetPreflight() {}

    /** The reason against creating Machines, or {@code null}. A control plane without a version is not checked. */
    static @Nullable String refusal(@Nullable GenericKubernetesResource controlPlane, @Nullable String skipped) {
        if (controlPlane == null || skips(skipped)) {
            return null;
        }
        String wanted = Fields.string(controlPlane, "spec", "version");
        if (wanted == null) {
            return null;
        }
        String name = controlPlane.getKind() + " " + controlPlane.getMetadata().getName();
        List<String> running = versions(controlPlane);
        if (running.isEmpty()) {
            return name + " is provisioning (\"ControlPlaneIsStable\" preflight check failed)";
        }
        if (running.stream().anyMatch(v -> !v.equals(wanted))) {
            return name + " is upgrading (\"ControlPlaneIsStable\" preflight check failed)";
        }
        return null;
    }

    private static boolean skips(@Nullable String annotation) {
        return annotation != null
                && Arrays.stream(annotation.split(",", -1))
                        .map(String::strip)
                        .anyMatch(c -> c.equals("All") || c.equals("ControlPlaneIsStable"));
    }

    private static List<String> versions(GenericKubernetesResource controlPlane) {
        List<String> listed = Fields.list(controlPlane, "status", "versions").stream()
                .map(v -> v instanceof Map<?, ?> m && m.get("version") instanceof String s ? s : "")
                .toList();
        String single = Fields.string(controlPlane, "status", "version");
        return !listed.isEmpty() ? listed : single == null ? List.of() : List.of(single);
    }
}
