package io.capoa.api.reference;

import static java.util.Map.entry;

import io.capoa.api.reference.ObjectSection.Place;
import java.util.Map;
import java.util.Objects;

/** Which guides explain a field. */
final class FurtherReading {

    private static final Map<String, String> GUIDES = Map.ofEntries(
            entry(
                    "OpenshiftAssistedControlPlane status.conditions[]",
                    "See [conditions](conditions.md#openshiftassistedcontrolplane), [health](health.md), [upgrade](upgrade.md#how-to-watch-it) and [repair](repair.md)."),
            entry(
                    "OpenshiftAssistedConfig status.conditions[]",
                    "See [conditions](conditions.md#openshiftassistedconfig)."),
            entry(
                    "OpenshiftAssistedControlPlane status.availableUpdates[]",
                    "See [upgrade](upgrade.md#what-you-can-upgrade-to)."),
            entry("OpenshiftAssistedControlPlane status.lastRemediation", "See [repair](repair.md#remediation)."),
            entry("OpenshiftAssistedControlPlane spec.upgrade", "See [upgrade](upgrade.md#consent)."),
            entry("OpenshiftAssistedControlPlane spec.distributionVersion", "See [upgrade](upgrade.md)."),
            entry("OpenshiftAssistedControlPlane spec.rollout", "See [repair](repair.md#rollouts)."),
            entry("OpenshiftAssistedControlPlane spec.remediation", "See [repair](repair.md#remediation)."),
            entry(
                    "OpenshiftAssistedControlPlane spec.config.platform",
                    "See [cloud-controller-manager](cloud-controller-manager.md)."),
            entry("OpenshiftAssistedConfig spec.discoveryIgnition", "See [hosts-in-a-cloud](hosts-in-a-cloud.md)."),
            entry("OpenshiftAssistedConfig spec.nodeRegistration", "See [hosts-in-a-cloud](hosts-in-a-cloud.md)."));

    private FurtherReading() {}

    /** A sentence with links, or nothing. */
    static String on(Place place) {
        return Objects.requireNonNullElse(GUIDES.get(place.kind() + " " + place.path()), "");
    }

    static Iterable<String> places() {
        return GUIDES.keySet();
    }
}
