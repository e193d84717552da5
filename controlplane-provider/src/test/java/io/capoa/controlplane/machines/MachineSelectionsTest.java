package io.capoa.controlplane.machines;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.contract.Machine;
import io.capoa.controlplane.testing.Objects;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What decisions select from the Machines of a control plane. */
class MachineSelectionsTest {

    private final Machine joining = machine("c", "spec: {failureDomain: b}");
    private final Machine unready = machine("b", "status: {nodeRef: {name: n-b}}");
    private final Machine ready =
            machine("a", "status: {nodeRef: {name: n-a}, conditions: [{type: Ready, status: 'True'}]}");
    private final Machines all = Machines.of(joining, unready, ready);

    @Test
    void aMachine_isInTheSelectionsThatItsStateIsOf() {
        assertThat(all.joining()).containsExactly(joining);
        assertThat(all.unready()).containsExactly(joining, unready);
        assertThat(all.nodes()).containsExactly("n-b", "n-a");
        assertThat(all.names()).containsExactly("a", "b", "c");
    }

    @Test
    void aMachineThatIsBeingDeleted_doesNotStay() {
        unready.getMetadata().setDeletionTimestamp("2026-01-01T00:00:00Z");
        assertThat(all.deleting()).containsExactly(unready);
        assertThat(all.staying()).containsExactly(joining, ready);
        assertThat(all.without(ready)).containsExactly(joining, unready);
    }

    @Test
    void withoutAFailureDomain_theNameIsEmpty() {
        assertThat(all.byFailureDomain())
                .containsEntry("b", Machines.of(joining))
                .containsEntry("", Machines.of(List.of(unready, ready)))
                .hasSize(2);
    }

    private static Machine machine(String name, String fields) {
        return Objects.read(Machine.class, "metadata: {name: %s}\n%s".formatted(name, fields));
    }
}
