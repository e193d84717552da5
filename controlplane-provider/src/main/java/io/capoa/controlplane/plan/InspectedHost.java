package io.capoa.controlplane.plan;

import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.BareMetalHostView;
import io.capoa.api.contract.Fields;
import io.capoa.api.rules.disk.InventoryDisk;
import io.capoa.controlplane.plan.PlanFinding.Subject;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A BareMetalHost with what its inspection found.
 *
 * @param hardware {@code HardwareDetails} of baremetal-operator; {@code null} if the host was not inspected
 */
record InspectedHost(BareMetalHost object, @Nullable Object hardware) {

    /** In one message. */
    private static final int NAMED = 8;

    private static final Set<String> IDLE = Set.of("available", "ready");

    static InspectedHost of(BareMetalHost host, PlanInput input) {
        Subject data = new Subject(
                "HardwareData",
                host.getMetadata().getNamespace(),
                host.getMetadata().getName());
        Object found = input.find(GenericKubernetesResource.class, data)
                .map(object -> Fields.any(object, "spec", "hardware"))
                .orElseGet(() -> Fields.any(host, "status", "hardware"));
        return new InspectedHost(host, found instanceof Map<?, ?> map && !map.isEmpty() ? found : null);
    }

    Subject subject() {
        return Subject.of(object);
    }

    BareMetalHostView view() {
        return BareMetalHostView.of(object);
    }

    Map<String, String> labels() {
        return Objects.requireNonNullElse(object.getMetadata().getLabels(), Map.of());
    }

    Map<String, String> annotations() {
        return Objects.requireNonNullElse(object.getMetadata().getAnnotations(), Map.of());
    }

    /** Empty before baremetal-operator has seen the host. */
    String state() {
        String state = Fields.string(object, "status", "provisioning", "state");
        return state == null ? "" : state;
    }

    /** Whether baremetal-operator registers, inspects or prepares it, or does something else with it. */
    boolean isBusy() {
        return !state().isEmpty() && !isIdle();
    }

    /** Whether Metal3 can take it as it is. */
    boolean isIdle() {
        return IDLE.contains(state());
    }

    /** Whether its hardware is known, and stays as it is. */
    boolean isSettled() {
        return hardware != null && isIdle();
    }

    /** Address of the management controller; empty if there is none. */
    String bmcAddress() {
        String address = Fields.string(object, "spec", "bmc", "address");
        return address == null ? "" : address;
    }

    String bootMac() {
        return normalized(view().bootMacAddress());
    }

    /** Number of CPUs; 0 if it is not known. */
    int cpus() {
        return Fields.any(hardware, "cpu", "count") instanceof Number count ? count.intValue() : 0;
    }

    /** Memory in MiB; 0 if it is not known. */
    long mebibytes() {
        return Fields.any(hardware, "ramMebibytes") instanceof Number size ? size.longValue() : 0;
    }

    /** As inspected, else as the BareMetalHost says; empty if it is not known. */
    String architecture() {
        String inspected = Fields.text(hardware, "cpu", "arch");
        String said = Fields.string(object, "spec", "architecture");
        return !inspected.isEmpty() ? inspected : said == null ? "" : said;
    }

    /** The name that the host had when it was inspected; empty if it is not known. */
    String hostname() {
        return Fields.text(hardware, "hostname");
    }

    List<String> macs() {
        return entries("nics").stream()
                .map(nic -> normalized(Fields.text(nic, "mac")))
                .filter(mac -> !mac.isEmpty())
                .toList();
    }

    List<String> addresses() {
        return entries("nics").stream()
                .map(nic -> Fields.text(nic, "ip").replaceFirst("[%/].*", ""))
                .filter(ip -> !ip.isEmpty())
                .toList();
    }

    /** @param leastGigabytes below which assisted-service does not install to a disk */
    List<InventoryDisk> disks(int leastGigabytes) {
        return entries("storage").stream()
                .map(disk -> InventoryDisk.inspected(disk, leastGigabytes))
                .toList();
    }

    private List<?> entries(String list) {
        return Fields.list(hardware, list).stream().filter(Objects::nonNull).toList();
    }

    private static String normalized(@Nullable String mac) {
        return Objects.toString(mac, "").strip().replace('-', ':').toLowerCase(Locale.ROOT);
    }

    /** The names of hosts for a message, of very many the first. */
    static String named(List<InspectedHost> hosts) {
        String rest = hosts.size() > NAMED ? " and %d more".formatted(hosts.size() - NAMED) : "";
        return hosts.stream()
                .limit(NAMED)
                .map(host -> host.object().getMetadata().getName())
                .collect(Collectors.joining(", ", "", rest));
    }
}
