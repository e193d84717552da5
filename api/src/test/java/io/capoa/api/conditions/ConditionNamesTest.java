package io.capoa.api.conditions;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.bootstrap.v1beta1.ConfigConditions;
import io.capoa.api.controlplane.v1beta1.ControlPlaneConditions;
import io.capoa.api.controlplane.v1beta1.ControlPlaneMachineConditions;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConditionNamesTest {

    @ParameterizedTest
    @ValueSource(
            classes = {
                ConfigConditions.class,
                ControlPlaneConditions.class,
                ControlPlaneMachineConditions.class,
                FailureReasons.class,
                EventReasons.class
            })
    void everyNameIsCamelCaseAndThereOnce(Class<?> names) throws IllegalAccessException {
        List<String> values = new ArrayList<>();
        for (Field field : names.getFields()) {
            values.add((String) field.get(null));
        }

        assertThat(values)
                .isNotEmpty()
                .doesNotHaveDuplicates()
                .allSatisfy(value -> assertThat(value).matches("[A-Z][A-Za-z0-9]{3,62}"));
    }
}
