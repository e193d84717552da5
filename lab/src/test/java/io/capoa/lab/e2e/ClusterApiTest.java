package io.capoa.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.contract.Fields;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The real Cluster API core over our providers. */
@Tag("e2e")
@NeedsGo
@ExtendWith(RealLab.Shared.class)
class ClusterApiTest {

    @Test
    void theSample_becomesAvailable_andItsMachinesAreNodes(RealLab lab) {
        String namespace = lab.namespace(5);

        lab.applySample(namespace, UnaryOperator.identity());
        lab.awaitAvailable(namespace, "multinode", 5);

        assertThat(lab.machines(namespace)).allSatisfy(machine -> {
            assertThat(Fields.string(machine, "status", "nodeRef", "name")).isNotEmpty();
            assertThat(Fields.string(machine, "spec", "providerID")).startsWith("metal3://");
        });
    }
}
