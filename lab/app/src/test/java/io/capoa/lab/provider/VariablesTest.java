package io.capoa.lab.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.capoa.lab.cluster.ClusterException;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Substitution of variables in clusterctl's files. */
class VariablesTest {

    @Test
    void aValueWins_elseTheDefault_whichMayBeEmpty() {
        assertThat(Variables.fill("${A:=x}/${B:=y}:${C:=}${A:=z}", Map.of("B", "$1")))
                .isEqualTo("x/$1:z");
    }

    @Test
    void aVariableWithoutValueAndDefault_isNamed() {
        assertThatExceptionOfType(ClusterException.class)
                .isThrownBy(() -> Variables.fill("${NEEDED}", Map.of()))
                .withMessage("The variable NEEDED has no default: give it a value.");
        assertThat(Variables.required("${NEEDED} ${GIVEN:=1} ${ALSO}")).containsExactly("ALSO", "NEEDED");
        assertThat(Variables.names("${NEEDED} ${GIVEN:=1}")).containsExactly("GIVEN", "NEEDED");
    }

    @Test
    void anotherSpelling_isNotTakenForText() {
        assertThatExceptionOfType(ClusterException.class)
                .isThrownBy(() -> Variables.fill("a: ${lower:-x}\nb: 1", Map.of()))
                .withMessageContaining("not \"${lower:-x}\"");
    }
}
