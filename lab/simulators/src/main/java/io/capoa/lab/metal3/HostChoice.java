package io.capoa.lab.metal3;

import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.Fields;
import io.capoa.lab.controller.LabelSelector;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Chooses a host for a Metal3Machine by CAPM3's rules; among equals the first by name, where CAPM3 chooses at random.
 */
final class HostChoice {

    private static final Set<String> FREE = Set.of("ready", "available");

    private HostChoice() {}

    /** The machine's present host, else the first free one that matches. */
    static Optional<BareMetalHost> choose(
            Metal3Machine machine, @Nullable String failureDomain, List<BareMetalHost> all) {
        Optional<BareMetalHost> own = all.stream().filter(h -> isOf(machine, h)).findFirst();
        return own.isPresent()
                ? own
                : all.stream()
                        .filter(HostChoice::isFree)
                        .filter(h -> fits(machine, failureDomain, h))
                        .min(Comparator.comparingInt(HostChoice::number)
                                .thenComparing(h -> h.getMetadata().getName()));
    }

    static boolean isOf(Metal3Machine machine, BareMetalHost host) {
        return machine.getMetadata().getName().equals(Fields.string(host, "spec", "consumerRef", "name"))
                && machine.getMetadata().getNamespace().equals(Fields.string(host, "spec", "consumerRef", "namespace"))
                && "Metal3Machine".equals(Fields.string(host, "spec", "consumerRef", "kind"));
    }

    private static boolean isFree(BareMetalHost host) {
        return Fields.any(host, "spec", "consumerRef") == null
                && FREE.contains(Metal3.state(host))
                && Fields.string(host, "status", "errorMessage") == null
                && !Metal3.isDeleting(host)
                && Metal3.annotation(host, Metal3.HOST_PAUSED) == null
                && Metal3.annotation(host, Metal3.UNHEALTHY) == null;
    }

    private static boolean fits(Metal3Machine machine, @Nullable String failureDomain, BareMetalHost host) {
        if (!machine.getMetadata().getNamespace().equals(host.getMetadata().getNamespace())) {
            return false;
        }
        if (failureDomain != null && !failureDomain.equals(Metal3.label(host, Metal3.FAILURE_DOMAIN))) {
            return false;
        }
        return LabelSelector.of(Fields.map(machine, "spec", "hostSelector")).matches(host);
    }

    /** Trailing number of the name, to sort host-10 after host-9. */
    private static int number(BareMetalHost host) {
        String name = host.getMetadata().getName();
        int at = name.length();
        while (at > 0 && Character.isDigit(name.charAt(at - 1)) && name.length() - at < 9) {
            at--;
        }
        return at == name.length() ? 0 : Integer.parseInt(name.substring(at));
    }
}
