package io.capoa.bootstrap.config.plan;

import static io.capoa.bootstrap.config.observe.ConfigObservations.complete;
import static io.capoa.bootstrap.config.observe.ConfigObservations.metal3;
import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.Annotations;
import io.capoa.api.conditions.Condition;
import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.OlderMetal3Machine;
import io.capoa.bootstrap.config.observe.ConfigObservation;
import io.capoa.bootstrap.infrastructure.ContractInfrastructure;
import io.capoa.bootstrap.infrastructure.Infrastructure;
import io.capoa.bootstrap.infrastructure.Metal3Infrastructure;
import io.capoa.runtime.status.Conditions;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class HostShutdownTest {

    private static final String KEPT_OFF = "reboot.metal3.io/capoa-removal";
    private static final String HARD = "{\"mode\":\"hard\"}";

    @Test
    void aHost_isPoweredOffOnRequest_andReported() {
        assertThat(patch(host(true, Map.of()))).isEqualTo(Map.of(KEPT_OFF, HARD));
        assertThat(reported(host(true, Map.of())))
                .isEqualTo("False PoweringOffHost BareMetalHost ns/h1 is being powered off");
        assertThat(patch(host(true, Map.of(KEPT_OFF, HARD)))).as("asked for").isNull();
        assertThat(reported(host(true, Map.of(KEPT_OFF, HARD)))).startsWith("False PoweringOffHost");
        assertThat(patch(host(false, Map.of(KEPT_OFF, HARD)))).isNull();
        assertThat(reported(host(false, Map.of(KEPT_OFF, HARD)))).isEqualTo("True HostPoweredOff ");
    }

    @Test
    void theHostOfAnUnhealthyMachine_isMarked_soThatNoMachineTakesItAgain() {
        Metal3Infrastructure running = host(true, Map.of());
        assertThat(patch(running, Annotations.UNHEALTHY))
                .isEqualTo(Map.of(KEPT_OFF, HARD, Annotations.HOST_UNHEALTHY, Annotations.UNHEALTHY));
        Metal3Infrastructure off = host(false, Map.of(KEPT_OFF, HARD));
        assertThat(patch(off, Annotations.UNHEALTHY))
                .as("powered off before for a Machine that was only deleted")
                .isEqualTo(Map.of(Annotations.HOST_UNHEALTHY, Annotations.UNHEALTHY));
        Metal3Infrastructure marked = host(false, Map.of(KEPT_OFF, HARD, Annotations.HOST_UNHEALTHY, "by a person"));
        assertThat(patch(marked, Annotations.UNHEALTHY)).isNull();
        assertThat(reported(marked, Annotations.UNHEALTHY))
                .isEqualTo("True HostPoweredOff no Machine takes BareMetalHost h1 again: when it is repaired, run"
                        + " kubectl annotate baremetalhost -n ns h1 capm3.metal3.io/unhealthy-");
    }

    @Test
    void aReleaseOfMetal3WithTheOlderApiAlone_knowsTheOlderMark() {
        Metal3Infrastructure newer = host(true, Map.of());
        OlderMetal3Machine machine = new OlderMetal3Machine();
        machine.setMetadata(newer.machine().getMetadata());
        assertThat(patch(new Metal3Infrastructure(machine, newer.bareMetalHost()), Annotations.UNHEALTHY))
                .isEqualTo(Map.of(KEPT_OFF, HARD, Annotations.OLDER_HOST_UNHEALTHY, Annotations.UNHEALTHY));
    }

    @Test
    void aHostThatIsOffWithoutTheAnnotation_couldComeBack() {
        assertThat(patch(host(false, Map.of()))).isEqualTo(Map.of(KEPT_OFF, HARD));
        assertThat(reported(host(false, Map.of()))).startsWith("False PoweringOffHost");
    }

    @Test
    void withoutARequest_orForAMachineThatStays_nothingHappens() {
        assertThat(HostShutdown.patch(
                        complete().latched().going().on(host(true, Map.of())).get()))
                .isEmpty();
        assertThat(HostShutdown.patch(complete()
                        .latched()
                        .machineAnnotation(Annotations.POWER_OFF_HOST, "")
                        .on(host(true, Map.of()))
                        .get()))
                .isEmpty();
        Conditions conditions = conditions();
        HostShutdown.report(
                conditions,
                complete().latched().going().on(host(true, Map.of())).get());
        assertThat(conditions.toList()).isEmpty();
    }

    @Test
    void aHostThatThisProviderDetached_isAttachedInTheSameWrite() {
        Metal3Infrastructure detached =
                host(true, Map.of(Annotations.HOST_DETACHED, "{}", Annotations.DETACHED_FOR, "c1"));
        Map<String, Object> expected = new HashMap<>();
        expected.put(KEPT_OFF, HARD);
        expected.put(Annotations.HOST_DETACHED, null);
        expected.put(Annotations.DETACHED_FOR, null);
        assertThat(patch(detached)).isEqualTo(expected);
    }

    @Test
    void aHostThatSomeoneElseDetached_isReported_andNotTouched() {
        Metal3Infrastructure detached = host(false, Map.of(KEPT_OFF, HARD, Annotations.HOST_DETACHED, "theirs"));
        assertThat(patch(detached)).isNull();
        assertThat(reported(detached))
                .isEqualTo("False PoweringOffHost BareMetalHost ns/h1 has annotation baremetalhost.metal3.io/detached,"
                        + " so its power is not managed: remove the annotation");
    }

    @Test
    void anErrorOfTheBmc_isQuoted() {
        Metal3Infrastructure host = host(true, Map.of(KEPT_OFF, HARD));
        Fields.map(Objects.requireNonNull(host.bareMetalHost()), "status").put("errorMessage", "no route to BMC");
        assertThat(reported(host)).endsWith("baremetal-operator reports: no route to BMC");
    }

    @Test
    void aHostWithAnotherConsumer_isReleasedAlready() {
        Metal3Infrastructure host = host(true, Map.of());
        Fields.map(Objects.requireNonNull(host.bareMetalHost()), "spec").put("consumerRef", Map.of("name", "other"));
        assertThat(patch(host)).isNull();
        assertThat(reported(host)).startsWith("True");
    }

    @Test
    void withoutAHost_itWaits_andWithoutPowerManagement_itIsUnknown() {
        Metal3Infrastructure known = host(true, Map.of());
        assertThat(reported(new Metal3Infrastructure(known.machine(), null)))
                .startsWith("False PoweringOffHost Metal3Machine");
        assertThat(reported(Infrastructure.missing("not watched"))).isEqualTo("False PoweringOffHost not watched");
        assertThat(reported(new ContractInfrastructure(true))).startsWith("Unknown HostPowerNotManaged");
    }

    private static ConfigObservation asked(Infrastructure infrastructure, String request) {
        return complete()
                .latched()
                .going()
                .machineAnnotation(Annotations.POWER_OFF_HOST, request)
                .on(infrastructure)
                .get();
    }

    private static @Nullable Object patch(Infrastructure infrastructure) {
        return patch(infrastructure, "");
    }

    private static @Nullable Object patch(Infrastructure infrastructure, String request) {
        return Fields.any(HostShutdown.patch(asked(infrastructure, request)), "metadata", "annotations");
    }

    private static String reported(Infrastructure infrastructure) {
        return reported(infrastructure, "");
    }

    private static String reported(Infrastructure infrastructure, String request) {
        Conditions conditions = conditions();
        HostShutdown.report(conditions, asked(infrastructure, request));
        Condition condition = conditions.toList().getFirst();
        return condition.status() + " " + condition.reason() + " " + condition.message();
    }

    private static Conditions conditions() {
        return Conditions.after(null, 1L, Clock.systemUTC());
    }

    private static Metal3Infrastructure host(boolean on, Map<String, String> annotations) {
        Metal3Infrastructure metal3 = (Metal3Infrastructure) metal3("qcow2", "h1");
        BareMetalHost host = Objects.requireNonNull(metal3.bareMetalHost());
        host.getMetadata().setAnnotations(new HashMap<>(annotations));
        Fields.map(host, "spec")
                .put("consumerRef", Map.of("kind", "Metal3Machine", "name", "m1-infra", "namespace", "ns"));
        host.setAdditionalProperty(
                "status", new HashMap<>(Map.of("provisioning", Map.of("state", "provisioned"), "poweredOn", on)));
        return metal3;
    }
}
