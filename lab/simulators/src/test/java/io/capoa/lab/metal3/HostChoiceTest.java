package io.capoa.lab.metal3;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.contract.BareMetalHost;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HostChoiceTest {

    private static final Map<String, Object> FREE = Map.of();

    @Test
    void theFirstFreeHostByNumberIsChosen() {
        assertThat(chosen(Map.of(), null, host("host-10", "available", FREE), host("host-9", "available", FREE)))
                .isEqualTo("host-9");
    }

    @Test
    void aHostThatIsClaimed_notReady_failed_paused_orUnhealthyIsSkipped() {
        Map<String, Object> taken =
                Map.of("consumerRef", Map.of("kind", "Metal3Machine", "name", "x", "namespace", "ns"));
        BareMetalHost failed = host("host-2", "available", FREE);
        failed.setAdditionalProperties(
                Map.of("status", Map.of("errorMessage", "broken", "provisioning", Map.of("state", "available"))));
        BareMetalHost paused = host("host-3", "available", FREE);
        paused.getMetadata().setAnnotations(Map.of(Metal3.HOST_PAUSED, ""));
        BareMetalHost unhealthy = host("host-4", "available", FREE);
        unhealthy.getMetadata().setAnnotations(Map.of(Metal3.UNHEALTHY, ""));
        BareMetalHost elsewhere = host("host-5", "available", FREE);
        elsewhere.getMetadata().setNamespace("other");

        assertThat(chosen(
                        Map.of(),
                        null,
                        host("host-0", "available", taken),
                        host("host-1", "inspecting", FREE),
                        failed,
                        paused,
                        unhealthy,
                        elsewhere))
                .isNull();
    }

    @Test
    void theHostThatIsAlreadyTheMachinesStaysSo() {
        Map<String, Object> own =
                Map.of("consumerRef", Map.of("kind", "Metal3Machine", "name", "m", "namespace", "ns"));

        assertThat(chosen(Map.of(), null, host("host-0", "available", FREE), host("host-7", "provisioned", own)))
                .isEqualTo("host-7");
    }

    @Test
    void labelsExpressionsAndFailureDomainHaveToFit() {
        BareMetalHost small = labelled("host-0", Map.of("size", "small", Metal3.FAILURE_DOMAIN, "a"));
        BareMetalHost large = labelled("host-1", Map.of("size", "large", Metal3.FAILURE_DOMAIN, "b"));

        assertThat(chosen(Map.of("matchLabels", Map.of("size", "large")), null, small, large))
                .isEqualTo("host-1");
        assertThat(chosen(expression("size", "notin", List.of("small")), null, small, large))
                .isEqualTo("host-1");
        assertThat(chosen(expression("colour", "exists", List.of()), null, small, large))
                .isNull();
        assertThat(chosen(Map.of(), "b", small, large)).isEqualTo("host-1");
        assertThat(chosen(Map.of(), "c", small, large)).isNull();
    }

    @Test
    void onlyALiveIsoNeedsNoChecksum() {
        assertThat(HostStep.imageFault(Map.of("url", "http://x/a.iso", "format", "live-iso")))
                .isNull();
        assertThat(HostStep.imageFault(Map.of("url", "http://x/a.qcow2", "format", "qcow2")))
                .contains("no checksum");
        assertThat(HostStep.imageFault(Map.of("url", "http://x/a.qcow2", "checksum", "abc")))
                .isNull();
    }

    @Test
    void aNewHostIsRegisteredAndInspected_unlessInspectionIsDisabled() {
        assertThat(next(host("host-0", "registering", FREE))).isEqualTo("inspecting");
        BareMetalHost uninspected = host("host-0", "registering", FREE);
        uninspected.getMetadata().setAnnotations(Map.of(Metal3.INSPECT, "disabled"));

        assertThat(next(uninspected)).isEqualTo("available");
        assertThat(next(host("host-0", "available", FREE))).isEmpty();
    }

    private static String next(BareMetalHost host) {
        HostStep step = HostStep.of(host);
        return step == null ? "" : step.to();
    }

    private static Map<String, Object> expression(String key, String operator, List<String> values) {
        return Map.of("matchExpressions", List.of(Map.of("key", key, "operator", operator, "values", values)));
    }

    private static @org.jspecify.annotations.Nullable String chosen(
            Map<String, ?> hostSelector,
            @org.jspecify.annotations.Nullable String failureDomain,
            BareMetalHost... hosts) {
        Metal3Machine machine = new Metal3Machine();
        machine.setMetadata(
                new ObjectMetaBuilder().withName("m").withNamespace("ns").build());
        machine.setAdditionalProperties(Map.of("spec", Map.of("hostSelector", hostSelector)));
        return HostChoice.choose(machine, failureDomain, List.of(hosts))
                .map(h -> h.getMetadata().getName())
                .orElse(null);
    }

    private static BareMetalHost labelled(String name, Map<String, String> labels) {
        BareMetalHost host = host(name, "available", FREE);
        host.getMetadata().setLabels(new HashMap<>(labels));
        return host;
    }

    private static BareMetalHost host(String name, String state, Map<String, Object> spec) {
        BareMetalHost host = new BareMetalHost();
        host.setMetadata(
                new ObjectMetaBuilder().withName(name).withNamespace("ns").build());
        host.setAdditionalProperties(Map.of("spec", spec, "status", Map.of("provisioning", Map.of("state", state))));
        return host;
    }
}
