package io.capoa.lab.core;

import io.capoa.api.contract.Fields;
import io.capoa.api.contract.MachineDeployment;

/** Reads {@code maxSurge} and {@code maxUnavailable}: a number, or a share of the replicas. */
final class Surge {

    private Surge() {}

    /** A share is rounded up for {@code maxSurge} and down for {@code maxUnavailable}. */
    static int of(MachineDeployment deployment, String field, int otherwise, int replicas) {
        Object value = Fields.any(deployment, "spec", "rollout", "strategy", "rollingUpdate", field);
        if (value instanceof Number n) {
            return n.intValue();
        }
        if (value instanceof String s && s.endsWith("%")) {
            int share = Integer.parseInt(s.substring(0, s.length() - 1)) * replicas;
            return field.equals("maxSurge") ? (share + 99) / 100 : share / 100;
        }
        return otherwise;
    }
}
