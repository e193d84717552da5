package io.capoa.lab.conformance;

import io.capoa.api.contract.Fields;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.ArrayList;
import java.util.List;

/** The contract's rules for the order in which an infrastructure machine changes. */
public final class HistoryRules {

    private HistoryRules() {}

    /**
     * An infrastructure machine at some time.
     *
     * @param dataSecret name of its Machine's bootstrap data; empty before it is set
     */
    public record Moment(GenericKubernetesResource machine, String dataSecret) {}

    /**
     * Checks that nothing was provisioned too early.
     *
     * @param history versions of one infrastructure machine, in order
     */
    public static List<Breach> order(List<Moment> history) {
        return history.stream()
                .filter(moment -> moment.dataSecret().isEmpty() && isProvisioned(moment.machine()))
                .map(
                        moment -> breach(
                                moment.machine(),
                                "it was provisioned before Machine.spec.bootstrap.dataSecretName was set: the instance has no user data"))
                .distinct()
                .toList();
    }

    /**
     * Checks that what Cluster API reads once does not change afterwards.
     *
     * @param history versions of one infrastructure machine, in order
     */
    public static List<Breach> steadiness(List<Moment> history) {
        List<Breach> breaches = new ArrayList<>();
        boolean provisioned = false;
        String known = null;
        for (Moment moment : history) {
            GenericKubernetesResource machine = moment.machine();
            String id = Fields.string(machine, "spec", "providerID");
            if (known != null && !known.equals(id)) {
                breaches.add(breach(machine, "spec.providerID changed from %s to %s: it stays".formatted(known, id)));
            }
            known = id == null ? known : id;
            if (isProvisioned(machine) && id == null) {
                breaches.add(breach(
                        machine,
                        "status.initialization.provisioned is true without spec.providerID: set both, or neither"));
            }
            if (provisioned && !isProvisioned(machine)) {
                breaches.add(breach(machine, "status.initialization.provisioned became false again: it stays true"));
            }
            provisioned = isProvisioned(machine);
        }
        return breaches.stream().distinct().toList();
    }

    private static boolean isProvisioned(GenericKubernetesResource machine) {
        return Fields.isTrue(machine, "status", "initialization", "provisioned");
    }

    private static Breach breach(GenericKubernetesResource machine, String what) {
        return new Breach(machine.getKind() + " " + machine.getMetadata().getName(), what);
    }
}
