package io.capoa.api.reference;

import io.capoa.api.reference.ObjectSection.Place;
import java.util.Map;
import java.util.Objects;

/** Which guides explain a field. */
final class FurtherReading {

    private static final Map<String, String> GUIDES = Map.of(
            "OpenshiftAssistedControlPlane status.conditions[]",
            "See [health](health.md), [upgrade](upgrade.md#how-to-watch-it) and [repair](repair.md).",
            "OpenshiftAssistedControlPlane status.availableUpdates[]",
            "See [upgrade](upgrade.md#what-you-can-upgrade-to).",
            "OpenshiftAssistedControlPlane status.lastRemediation",
            "See [repair](repair.md#remediation).",
            "OpenshiftAssistedControlPlane spec.upgrade",
            "See [upgrade](upgrade.md#consent).",
            "OpenshiftAssistedControlPlane spec.distributionVersion",
            "See [upgrade](upgrade.md).",
            "OpenshiftAssistedControlPlane spec.rollout",
            "See [repair](repair.md#rollouts).",
            "OpenshiftAssistedControlPlane spec.remediation",
            "See [repair](repair.md#remediation).",
            "OpenshiftAssistedControlPlane spec.config.platform",
            "See [cloud-controller-manager](cloud-controller-manager.md).",
            "OpenshiftAssistedConfig spec.discoveryIgnition",
            "See [hosts-in-a-cloud](hosts-in-a-cloud.md).",
            "OpenshiftAssistedConfig spec.nodeRegistration",
            "See [hosts-in-a-cloud](hosts-in-a-cloud.md).");

    private FurtherReading() {}

    /** A sentence with links, or nothing. */
    static String on(Place place) {
        return Objects.requireNonNullElse(GUIDES.get(place.kind() + " " + place.path()), "");
    }

    static Iterable<String> places() {
        return GUIDES.keySet();
    }
}
