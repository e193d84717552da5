package io.capoa.lab.metal3;

import io.capoa.api.contract.Machine;
import io.capoa.lab.controller.WorkingCopy;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Reports a Machine that CAPM3 could not remediate. As CAPM3 does, it sets only the deprecated condition of contract
 * v1beta1; owners that read conditions of v1beta2 alone never replace the Machine.
 */
final class GivenUpMachine {

    private static final String OWNER_REMEDIATED = "OwnerRemediated";
    private static final String[] CONDITIONS = {"status", "deprecated", "v1beta1", "conditions"};

    private GivenUpMachine() {}

    static void report(WorkingCopy<Machine> working) {
        List<Object> conditions =
                new ArrayList<>(working.get(CONDITIONS) instanceof List<?> present ? present : List.of());
        boolean known = conditions.stream().anyMatch(GivenUpMachine::isReport);
        if (!known) {
            conditions.removeIf(c -> c instanceof Map<?, ?> map && OWNER_REMEDIATED.equals(map.get("type")));
            conditions.add(Map.of(
                    "type",
                    OWNER_REMEDIATED,
                    "status",
                    "False",
                    "severity",
                    "Warning",
                    "reason",
                    "WaitingForRemediation",
                    "lastTransitionTime",
                    Instant.now().truncatedTo(ChronoUnit.SECONDS).toString()));
            working.set(conditions, CONDITIONS);
        }
    }

    private static boolean isReport(Object condition) {
        return condition instanceof Map<?, ?> map
                && OWNER_REMEDIATED.equals(map.get("type"))
                && "False".equals(map.get("status"));
    }
}
