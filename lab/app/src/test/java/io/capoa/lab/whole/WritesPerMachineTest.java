package io.capoa.lab.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.capoa.api.Labels;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.Agent;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import io.capoa.lab.cluster.AuditEntry;
import io.capoa.lab.cluster.AuditLog;
import io.capoa.lab.cluster.WriteEffects;
import io.capoa.lab.provider.Provider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Writes of the bootstrap provider for a Machine until it is installed, from the audit log. */
@Tag("whole")
@ExtendWith(WholeLab.Shared.class)
class WritesPerMachineTest {

    /** Writes per Machine; configs from our control plane are created with the finalizer. */
    private static final List<String> ONCE = List.of("infraenvs/", "secrets/", "agents/");

    /** One additional write if a MachineSet created the config. */
    private static final String FINALIZER = "openshiftassistedconfigs/";

    private static final String STATUS = "openshiftassistedconfigs/status";
    private static final long STATUSES = 3;

    @Test
    void noneIsRefused_noneIsWithoutEffect_andSixOrSevenSuffice(WholeLab lab) {
        assumeTrue(lab.cluster().auditLog().isPresent(), "this kind of cluster keeps no audit log that tests can read");
        AuditLog audit = lab.cluster().auditLog().orElseThrow();
        String namespace = lab.namespace(5);
        lab.apply(namespace, UnaryOperator.identity());
        lab.awaitReady(namespace);
        untilAtRest(audit, namespace);

        List<AuditEntry> writes = writes(audit.since(audit.start()), namespace);

        assertThat(writes).isNotEmpty().allMatch(AuditEntry::succeeded);
        assertThat(writes(WriteEffects.without(audit.since(audit.start())), namespace))
                .isEmpty();
        List<OpenshiftAssistedConfig> configs = lab.admin()
                .resources(OpenshiftAssistedConfig.class)
                .inNamespace(namespace)
                .list()
                .getItems();
        assertThat(configs).hasSize(5);
        int counted = 0;
        List<Long> statuses = new ArrayList<>();
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
            statuses.add(own.stream()
                    .filter(write -> STATUS.equals(write.resource() + "/" + write.subresource()))
                    .count());
        }
        // Lasting states are reported, and on a busy machine states last longer.
        assertThat(statuses.stream().sorted().skip(statuses.size() / 2).findFirst())
                .as("median of the statuses of a Machine: %s", statuses)
                .hasValueSatisfying(median -> assertThat(median).isLessThanOrEqualTo(STATUSES));
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

    /** The last status may be debounced. */
    private static void untilAtRest(AuditLog audit, String namespace) {
        await().atMost(WholeLab.SOON).until(() -> {
            AuditLog.Mark mark = audit.mark();
            Thread.sleep(Duration.ofMillis(1500));
            return writes(audit.since(mark), namespace).isEmpty();
        });
    }
}
