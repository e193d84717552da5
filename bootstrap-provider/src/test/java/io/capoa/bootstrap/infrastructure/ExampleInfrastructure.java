package io.capoa.bootstrap.infrastructure;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.Agent;
import io.capoa.api.contract.ContractKind;
import io.capoa.api.contract.ContractReference;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import io.capoa.api.rules.disk.RootDeviceHints;
import io.capoa.bootstrap.agent.HostHints;
import io.capoa.bootstrap.agent.HostIdentity;
import io.capoa.runtime.watch.EventSources;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Version;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;

/**
 * A third infrastructure provider: virtual machines that boot an ISO from {@code spec.cdrom}, are known by
 * {@code spec.mac}, and restart when {@code spec.restartedFor} changes. The machine is its own host.
 */
public record ExampleInfrastructure(ExampleMachine machine) implements Infrastructure, Host {

    static final String GROUP = "infrastructure.example.org";

    /** Node label that the provider looks for. */
    static final String LABEL = "example.org/machine";

    /** Its infrastructure machine. */
    @Group(GROUP)
    @Version("v1")
    @Kind("ExampleMachine")
    public static final class ExampleMachine extends ContractKind implements Namespaced {}

    /**
     * Reads ExampleMachines.
     *
     * @param machines by namespace and name
     */
    record Provider(BiFunction<String, String, Optional<ExampleMachine>> machines) implements InfrastructureProvider {

        static Provider declare(EventSources<OpenshiftAssistedConfig> eventSources) {
            return new Provider(eventSources
                    .on(ExampleMachine.class)
                    .optional()
                    .enqueuesByKey(BY_MACHINE, InfrastructureProvider::machines)
                    .source()::get);
        }

        @Override
        public boolean provides(ContractReference infrastructureMachine) {
            return infrastructureMachine.isTo(GROUP, "ExampleMachine");
        }

        @Override
        public Infrastructure of(Machine machine, String name) {
            return machines.apply(machine.getMetadata().getNamespace(), name)
                    .<Infrastructure>map(ExampleInfrastructure::new)
                    .orElseGet(() -> Infrastructure.missing("ExampleMachine " + name + " does not exist"));
        }
    }

    /** The providers with this one among them, which has these machines and no others. */
    public static InfrastructureProviders registered(ExampleMachine... machines) {
        return new InfrastructureProviders(List.of(new Provider((namespace, name) -> List.of(machines).stream()
                .filter(machine -> machine.getMetadata().getNamespace().equals(namespace)
                        && machine.getMetadata().getName().equals(name))
                .findFirst())));
    }

    @Override
    public boolean isTaken(List<Agent> registered) {
        return Fields.isTrue(machine, "status", "running");
    }

    @Override
    public boolean isLiveIso() {
        return true;
    }

    @Override
    public boolean hasUserData() {
        return false;
    }

    @Override
    public HostIdentity identity() {
        String mac = String.valueOf(Fields.string(machine, "spec", "mac"));
        return new HostIdentity.BootMac(mac, "a virtual machine with spec.mac " + mac, "correct its spec.mac");
    }

    @Override
    public Set<String> nodeLabels() {
        return Set.of(LABEL);
    }

    @Override
    public Map<String, Object> booting(String isoUrl) {
        return isoUrl.equals(Fields.string(machine, "spec", "cdrom"))
                ? Map.of()
                : Map.of("spec", Map.of("cdrom", isoUrl));
    }

    @Override
    public Host host() {
        return this;
    }

    @Override
    public ExampleMachine object() {
        return machine;
    }

    @Override
    public HostHints hints() {
        return new HostHints(
                "vm-" + machine.getMetadata().getName(),
                Map.of(LABEL, machine.getMetadata().getName()),
                RootDeviceHints.of(Map.of("deviceName", "/dev/vda"), "the first disk of the virtual machine"));
    }

    @Override
    public Optional<Running> running(boolean clusterIsDeleted) {
        return isTaken(List.of())
                ? Optional.of(new Running(
                        Instant.parse(String.valueOf(Fields.string(machine, "status", "startedAt"))),
                        Fields.string(machine, "spec", "restartedFor"),
                        Optional.empty()))
                : Optional.empty();
    }

    @Override
    public Map<String, Object> reboot(String reason) {
        return Map.of("spec", Map.of("restartedFor", reason));
    }

    @Override
    public Map<String, Object> detachment(boolean installed, String config) {
        return installed && Fields.string(machine, "spec", "cdrom") != null ? release() : Map.of();
    }

    @Override
    public Map<String, Object> release() {
        return Map.of("spec", Map.of("cdrom", ""));
    }
}
