package io.capoa.lab.host;

import io.capoa.lab.host.IgnitionConfig.Unit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The oneshot units of an installed system in the order in which systemd would run them.
 *
 * @param beforeKubelet units that run before the kubelet
 * @param afterKubelet units that run after it
 */
record UnitOrder(List<Unit> beforeKubelet, List<Unit> afterKubelet) {

    static final String KUBELET = "kubelet.service";

    static UnitOrder of(IgnitionConfig config) throws Refused {
        List<Unit> left = new ArrayList<>(config.units().stream()
                .filter(u -> u.enabled() && u.values("Type").contains("oneshot"))
                .toList());
        List<Unit> before = new ArrayList<>();
        List<Unit> after = new ArrayList<>();
        Set<String> late = new HashSet<>(Set.of(KUBELET));
        while (!left.isEmpty()) {
            Unit next = left.stream()
                    .filter(u -> left.stream().noneMatch(other -> !other.name().equals(u.name()) && precedes(other, u)))
                    .findFirst()
                    .orElseThrow(() -> new Refused("the order of its units runs in a circle"));
            left.remove(next);
            if (next.names("After").stream().anyMatch(late::contains)) {
                late.add(next.name());
                after.add(next);
            } else {
                before.add(next);
            }
        }
        return new UnitOrder(before, after);
    }

    private static boolean precedes(Unit first, Unit second) {
        return first.names("Before").contains(second.name())
                || second.names("After").contains(first.name());
    }
}
