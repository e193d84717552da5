package io.capoa.lab.whole;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.Labels;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.Agent;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import io.capoa.lab.cluster.AuditEntry;
import io.capoa.lab.cluster.WriteEffects;
import io.capoa.lab.provider.Provider;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** Writes of the bootstrap provider for a Machine until it is installed, from the audit log. */
final class WritesPerMachine {

    /** Writes per Machine; configs from our control plane are created with the finalizer. */
    private static final List<String> ONCE = List.of("infraenvs/", "secrets/", "agents/");

    /** One additional write if a MachineSet created the config. */
    private static final String FINALIZER = "openshiftassistedconfigs/";

    private static final String STATUS = "openshiftassistedconfigs/status";
    private static final Duration DEBOUNCE = Duration.ofSeconds(1);
    /** The bootstrap data exists, and the host is a node. */
    private static final int AWAITED = 2;

    private WritesPerMachine() {}

    /**
     * Asserts that three or four writes and statuses that last suffice, none is refused, and none is without effect.
     *
     * @param log from its beginning until an installation of five Machines is at rest
     */
    static void assertFew(WholeLab lab, List<AuditEntry> log, String namespace) {
        List<AuditEntry> writes = writes(log, namespace);

        assertThat(writes).isNotEmpty().allMatch(AuditEntry::succeeded);
        assertThat(writes(WriteEffects.without(log), namespace)).isEmpty();
        List<OpenshiftAssistedConfig> configs = lab.admin()
                .resources(OpenshiftAssistedConfig.class)
                .inNamespace(namespace)
                .list()
                .getItems();
        assertThat(configs).hasSize(5);
        int counted = 0;
        for (OpenshiftAssistedConfig config : configs) {
            Set<String> objects = objectsOf(lab, config);
            List<AuditEntry> own = writes.stream()
                    .filter(write -> objects.contains(write.resource() + "/" + write.name()))
                    .toList();
            counted += own.size();
            boolean controlPlane = config.getMetadata().getLabels().containsKey(Labels.CONTROL_PLANE);
            assertThat(own.stream()
                            .map(write -> write.resource() + "/" + write.subresource())
                            .filter(write -> !write.equals(STATUS)))
                    .as(config.getMetadata().getName())
                    .containsExactlyInAnyOrderElementsOf(
                            controlPlane
                                    ? ONCE
                                    : Stream.concat(ONCE.stream(), Stream.of(FINALIZER))
                                            .toList());
            LastingStatuses.assertDebounced(
                    own.stream()
                            .filter(write -> STATUS.equals(write.resource() + "/" + write.subresource()))
                            .toList(),
                    DEBOUNCE,
                    (before, after) -> !after.path("initialization").equals(before.path("initialization"))
                            || LastingStatuses.isTrue(after, "Ready") != LastingStatuses.isTrue(before, "Ready"),
                    AWAITED);
        }
        assertThat(counted).as("every write belongs to a Machine").isEqualTo(writes.size());
    }

    private static Set<String> objectsOf(WholeLab lab, OpenshiftAssistedConfig config) {
        String namespace = config.getMetadata().getNamespace();
        String name = config.getMetadata().getName();
        Machine machine = lab.machines(namespace).stream()
                .filter(m -> name.equals(Fields.string(m, "spec", "bootstrap", "configRef", "name")))
                .findFirst()
                .orElseThrow();
        Set<String> objects = new HashSet<>(Set.of(
                "openshiftassistedconfigs/" + name,
                "secrets/" + name,
                "infraenvs/" + machine.getMetadata().getName(),
                "metal3machines/" + Fields.string(machine, "spec", "infrastructureRef", "name")));
        lab.admin()
                .resources(Agent.class)
                .inNamespace(namespace)
                .withLabel(Labels.INFRA_ENV, machine.getMetadata().getName())
                .list()
                .getItems()
                .forEach(agent -> objects.add("agents/" + agent.getMetadata().getName()));
        return objects;
    }

    private static List<AuditEntry> writes(List<AuditEntry> entries, String namespace) {
        String user = Provider.BOOTSTRAP.user();
        return entries.stream()
                .filter(entry -> entry.isWrite()
                        && entry.user().equals(user)
                        && entry.namespace().equals(namespace))
                .toList();
    }
}
