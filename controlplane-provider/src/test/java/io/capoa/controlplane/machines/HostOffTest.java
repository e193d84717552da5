package io.capoa.controlplane.machines;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.Annotations;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigStatus;
import io.capoa.api.conditions.Condition;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;

class HostOffTest {

    @Test
    void itIsAskedForOnce_andWaitedForUntilTheBootstrapProviderAnswers() {
        assertThat(HostOff.of(machine(), config())).isInstanceOf(HostOff.Unrequested.class);
        assertThat(waiting(HostOff.of(machine(Annotations.POWER_OFF_HOST), config())))
                .contains("its host is powered off first; if it cannot be")
                .contains(Annotations.HOST_IS_OFF);
        assertThat(waiting(HostOff.of(machine(Annotations.POWER_OFF_HOST), config("False", "no route to BMC"))))
                .contains("powered off first: no route to BMC; if it cannot be");
        assertThat(HostOff.of(machine(Annotations.POWER_OFF_HOST), config("True", "")))
                .isInstanceOf(HostOff.Done.class);
    }

    @Test
    void anAnswerWithoutARequest_isOld() {
        assertThat(HostOff.of(machine(), config("True", ""))).isInstanceOf(HostOff.Unrequested.class);
    }

    @Test
    void withoutPowerManagement_orByTheUsersWord_itIsDone() {
        assertThat(HostOff.of(machine(Annotations.POWER_OFF_HOST), config("Unknown", "")))
                .isInstanceOf(HostOff.Done.class);
        assertThat(HostOff.of(machine(Annotations.HOST_IS_OFF), config())).isInstanceOf(HostOff.Done.class);
        assertThat(HostOff.of(machine(), null)).isInstanceOf(HostOff.Done.class);
    }

    @Test
    void theHostOfAnUnhealthyMachine_isNotToBeTakenAgain() {
        assertThat(Fields.text(HostOff.request(true), "metadata", "annotations", Annotations.POWER_OFF_HOST))
                .isEqualTo(Annotations.UNHEALTHY);
        assertThat(Fields.text(HostOff.request(false), "metadata", "annotations", Annotations.POWER_OFF_HOST))
                .isEmpty();
    }

    private static String waiting(HostOff answer) {
        assertThat(answer).isInstanceOf(HostOff.NotYet.class);
        return ((HostOff.NotYet) answer).message();
    }

    private static Machine machine(String... annotations) {
        Machine machine = new Machine();
        machine.setMetadata(new ObjectMetaBuilder().withName("m").build());
        List.of(annotations)
                .forEach(name -> machine.getMetadata().getAnnotations().put(name, ""));
        return machine;
    }

    private static OpenshiftAssistedConfig config() {
        return new OpenshiftAssistedConfig();
    }

    private static OpenshiftAssistedConfig config(String status, String message) {
        OpenshiftAssistedConfig config = config();
        config.setStatus(new OpenshiftAssistedConfigStatus(
                null,
                null,
                null,
                List.of(new Condition("HostPoweredOff", status, "Some", message, "2026-01-01T00:00:00Z", 1L))));
        return config;
    }
}
