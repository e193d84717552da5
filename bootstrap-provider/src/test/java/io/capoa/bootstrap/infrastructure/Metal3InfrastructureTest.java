package io.capoa.bootstrap.infrastructure;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.Annotations;
import io.capoa.api.contract.Agent;
import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Metal3Machine;
import io.capoa.api.contract.OlderMetal3Machine;
import io.capoa.bootstrap.agent.HostHints;
import io.capoa.bootstrap.agent.HostIdentity;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class Metal3InfrastructureTest {

    private static final String HOST = """
            ---
            metadata: {namespace: ns, name: h1, uid: h1-uid}
            spec: {bootMACAddress: '52-54-00-0A-00-01', rootDeviceHints: {deviceName: /dev/sda}, consumerRef: {kind: Metal3Machine, name: x1, namespace: ns}}
            status: {poweredOn: true, provisioning: {state: provisioned}, operationHistory: {provision: {end: '2026-01-01T00:50:00Z'}}}
            """;

    @Test
    void aHostIsTaken_onceTheMachineNamesIt_orAnAgentIsApproved() {
        Metal3Infrastructure free = new Metal3Infrastructure(machine("qcow2"), null);
        Agent stale = new Agent();
        Agent approved = new Agent();
        approved.setAdditionalProperty("spec", Map.of("approved", true));

        assertThat(free.isTaken(List.of())).isFalse();
        assertThat(free.isTaken(List.of(stale))).as("media left in a host").isFalse();
        assertThat(free.isTaken(List.of(stale, approved))).isTrue();

        free.machine().getMetadata().setAnnotations(Map.of("metal3.io/BareMetalHost", "ns/h1"));
        assertThat(free.isTaken(List.of())).isTrue();
    }

    @Test
    void aMachineThatMetal3FindsNoHostFor_isReportedWithMetal3sWords() {
        Metal3Machine newer = machine("qcow2");
        newer.setAdditionalProperty(
                "status",
                association(
                        "AssociateBareMetalHost",
                        "AssociateBareMetalHostFailed",
                        "failed to associate the Metal3Machine to a BareMetalHost: no available host found. Requeuing."
                                + " Object will be requeued after 30s"));
        Metal3Machine older = machine("qcow2");
        older.setAdditionalProperty(
                "status",
                association(
                        "AssociateBMH",
                        "AssociateBMHFailed",
                        "no available host found. Requeuing. Object will be requeued after 30s"));

        for (Metal3Machine machine : List.of(newer, older)) {
            Metal3Infrastructure infrastructure = new Metal3Infrastructure(CachedMetal3.pruned(machine), null);
            assertThat(infrastructure.hostBlocker()).hasValueSatisfying(why -> {
                assertThat(why.reason()).isEqualTo("NoHostAvailable");
                assertThat(why.message())
                        .isEqualTo(
                                "Metal3Machine x1 has no BareMetalHost: no available host found. Free or add one that it"
                                        + " selects, see kubectl get baremetalhosts -n ns");
            });
            machine.getMetadata().setAnnotations(Map.of("metal3.io/BareMetalHost", "ns/h1"));
            assertThat(infrastructure.hostBlocker()).as("it has one meanwhile").isEmpty();
        }
    }

    @Test
    void withoutAHost_thoseThatAreMarkedAreNamed_threeAtMost_andHowTheMarkIsRemoved() {
        Map<String, Object> failed =
                association("AssociateBareMetalHost", "AssociateBareMetalHostFailed", "no available host found");
        Metal3Machine newer = machine("qcow2");
        newer.setAdditionalProperty("status", failed);
        OlderMetal3Machine older = new OlderMetal3Machine();
        older.setMetadata(newer.getMetadata());
        older.setAdditionalProperty("status", failed);

        assertThat(shortage(newer, List.of("h1")))
                .endsWith(
                        "see kubectl get baremetalhosts -n ns. Not taken because of annotation capm3.metal3.io/unhealthy:"
                                + " h1; if it is repaired, run kubectl annotate baremetalhost -n ns h1 capm3.metal3.io/unhealthy-");
        assertThat(shortage(newer, List.of("h1", "h2", "h3"))).contains(": h1, h2, h3; if");
        assertThat(shortage(older, List.of("h1", "h2", "h3", "h4", "h5")))
                .contains("annotation capi.metal3.io/unhealthy: h1, h2, h3 and 2 more;")
                .endsWith(" h1 capi.metal3.io/unhealthy-");
    }

    private static String shortage(Metal3Machine machine, List<String> unhealthyHosts) {
        return new Metal3Infrastructure(machine, null, unhealthyHosts)
                .hostBlocker()
                .orElseThrow()
                .message();
    }

    @Test
    void anErrorOfTheHost_isQuoted_butNotThatOfAnothersHost() {
        BareMetalHost host = host();
        assertThat(new Metal3Infrastructure(machine("qcow2"), host).hostBlocker())
                .isEmpty();
        host.setAdditionalProperty(
                "status",
                new HashMap<>(Map.of("errorType", "provisioning error", "errorMessage", "image has no checksum")));
        host = CachedMetal3.pruned(host);

        assertThat(new Metal3Infrastructure(machine("qcow2"), host).hostBlocker())
                .hasValueSatisfying(why -> {
                    assertThat(why.reason()).isEqualTo("BareMetalHostError");
                    assertThat(why.message())
                            .startsWith("BareMetalHost ns/h1 does not boot for the Machine: image has no checksum. ");
                });
        Fields.map(host, "status").put("errorMessage", "a\nlog " + "x".repeat(5000));
        assertThat(new Metal3Infrastructure(machine("qcow2"), host).hostBlocker())
                .as("one line, and the remedy is not cut off")
                .hasValueSatisfying(
                        why -> assertThat(why.message()).contains("a log xxx").endsWith("and delete the Machine"));
        Fields.map(host, "spec", "consumerRef").put("name", "other");
        assertThat(new Metal3Infrastructure(machine("qcow2"), host).hostBlocker())
                .isEmpty();
    }

    @Test
    void whatMetal3WaitsForBeforeItSearchesForAHost_isNotCached() {
        Metal3Machine waiting = machine("qcow2");
        waiting.setAdditionalProperty(
                "status",
                association("AssociateBareMetalHost", "WaitingForBootstrapData", "Waiting for bootstrap data"));

        assertThat(CachedMetal3.pruned(waiting)).isEqualTo(machine("qcow2"));
        assertThat(new Metal3Infrastructure(waiting, null).hostBlocker()).isEmpty();
    }

    private static Map<String, Object> association(String type, String reason, String message) {
        return new HashMap<>(Map.of(
                "ready",
                false,
                "conditions",
                new ArrayList<>(List.of(
                        Map.of("type", "Ready", "status", "False", "reason", "NotReady", "message", "* " + message),
                        Map.of("type", type, "status", "False", "reason", reason, "message", message)))));
    }

    @Test
    void annotationsForAssistedServicesOwnController_areNamedAsIgnored() {
        BareMetalHost host = host();
        assertThat(new Metal3Host(machine("qcow2"), host).ignoredSettings()).isEmpty();

        host.getMetadata()
                .setAnnotations(new HashMap<>(Map.of(
                        "bmac.agent-install.openshift.io/ignition-config-overrides",
                        "secret",
                        "bmac.agent-install.openshift.io/role",
                        "worker")));
        host = CachedMetal3.pruned(host);

        assertThat(host.getMetadata().getAnnotations())
                .containsExactly(Map.entry("bmac.agent-install.openshift.io/ignition-config-overrides", ""));
        assertThat(new Metal3Host(machine("qcow2"), host).ignoredSettings())
                .hasValueSatisfying(said -> assertThat(said)
                        .contains(
                                "BareMetalHost ns/h1 has annotation bmac.agent-install.openshift.io/ignition-config-overrides,",
                                "openshiftassistedconfig.cluster.x-k8s.io/ignition-override"));
    }

    @Test
    void theIsoIsWritten_onceAndOnlyIntoALiveIsosMachine() {
        Metal3Infrastructure live = new Metal3Infrastructure(machine("live-iso"), null);

        assertThat(live.booting("http://iso")).isEqualTo(Map.of("spec", Map.of("image", Map.of("url", "http://iso"))));
        assertThat(live.booting("http://image")).as("it has that address").isEmpty();
        assertThat(new Metal3Infrastructure(machine("qcow2"), null).booting("http://iso"))
                .isEmpty();
    }

    @Test
    void aCustomDeployMethod_keepsALiveIsoFromBooting_andAHostFromItsImage() {
        Map<String, Object> method = Map.of("method", "install_coreos");
        Metal3Machine image = machine("qcow2");
        assertThat(new Metal3Infrastructure(image, host()).bootFailure()).isEmpty();
        Fields.map(image, "spec").put("customDeploy", method);
        BareMetalHost copied = Serialization.unmarshal(HOST, BareMetalHost.class);
        Fields.map(copied, "spec").put("customDeploy", method);
        copied = CachedMetal3.pruned(copied);
        assertThat(new Metal3Infrastructure(CachedMetal3.pruned(image), copied).bootFailure())
                .as("a method that reads the user data")
                .isEmpty();

        assertThat(new Metal3Infrastructure(machine("qcow2"), copied).bootFailure())
                .hasValueSatisfying(why -> assertThat(why.message()).contains("BareMetalHost ns/h1"));
        Metal3Machine live = machine("live-iso");
        Fields.map(live, "spec").put("customDeploy", method);
        assertThat(new Metal3Infrastructure(CachedMetal3.pruned(live), null).bootFailure())
                .hasValueSatisfying(why -> assertThat(why.message()).contains("Metal3Machine x1"));
        Fields.map(copied, "spec", "consumerRef").put("name", "other");
        assertThat(new Metal3Infrastructure(machine("qcow2"), copied).bootFailure())
                .as("the host of another")
                .isEmpty();
    }

    @Test
    void theHostIsIdentifiedByItsBootMacAddress() {
        assertThat(new Metal3Infrastructure(machine("qcow2"), null).identity())
                .isInstanceOfSatisfying(HostIdentity.Unknown.class, unknown -> {
                    assertThat(unknown.why().reason()).isEqualTo("WaitingForBareMetalHost");
                    assertThat(unknown.why().message()).contains("Metal3Machine x1");
                });
        assertThat(new Metal3Infrastructure(machine("qcow2"), host()).identity())
                .isInstanceOfSatisfying(HostIdentity.BootMac.class, boot -> {
                    assertThat(boot.mac()).isEqualTo("52:54:00:0a:00:01");
                    assertThat(boot.host()).contains("BareMetalHost ns/h1", "52:54:00:0a:00:01");
                });

        BareMetalHost nameless = host();
        Fields.map(nameless, "spec").remove("bootMACAddress");
        assertThat(new Metal3Infrastructure(machine("qcow2"), nameless).identity())
                .isEqualTo(new HostIdentity.Nothing("BareMetalHost ns/h1 has no spec.bootMACAddress"));
    }

    @Test
    void aHostOfAnotherNamespace_isIgnored_becauseTheAnnotationProvesNothing() {
        Metal3Machine machine = machine("qcow2");
        machine.getMetadata().setAnnotations(Map.of("metal3.io/BareMetalHost", "other/h1"));
        Metal3Machine own = machine("qcow2");
        own.getMetadata().setAnnotations(Map.of("metal3.io/BareMetalHost", "ns/h1"));

        assertThat(Metal3Infrastructure.ownHost(machine)).isEqualTo(Optional.empty());
        assertThat(Metal3Infrastructure.ownHost(own)).contains("h1");
        Metal3Infrastructure ignored = new Metal3Infrastructure(machine, null);
        assertThat(ignored.powerOff(false).orElseThrow()).satisfies(power -> {
            assertThat(power.patch()).isEmpty();
            assertThat(power.message()).contains("names no BareMetalHost of its namespace", "remove the annotation");
        });
    }

    @Test
    void aHostThatIsNeverPoweredOff_isNotAskedTo_becauseItWouldBeRebootedForEver() {
        BareMetalHost host = host();
        Fields.map(host, "spec").put("disablePowerOff", true);
        HostPower fresh = new Metal3Infrastructure(machine("qcow2"), CachedMetal3.pruned(host))
                .powerOff(false)
                .orElseThrow();
        assertThat(fresh.isOff()).isFalse();
        assertThat(fresh.patch()).isEmpty();
        assertThat(fresh.message())
                .isEqualTo("BareMetalHost ns/h1 has spec.disablePowerOff, so it would be rebooted: set it to false");

        Map<String, String> asked = Map.of("reboot.metal3.io/capoa-removal", "");
        host.getMetadata().setAnnotations(asked);
        assertThat(new Metal3Infrastructure(machine("qcow2"), host)
                        .powerOff(false)
                        .orElseThrow()
                        .patch())
                .as("an annotation of before is removed")
                .isEqualTo(Map.of(
                        "metadata",
                        Map.of("annotations", Collections.singletonMap("reboot.metal3.io/capoa-removal", null))));

        Fields.map(host, "spec").put("disablePowerOff", false);
        assertThat(new Metal3Infrastructure(machine("qcow2"), host)
                        .powerOff(false)
                        .orElseThrow()
                        .message())
                .contains("is being powered off");
    }

    @Test
    void aHostWhoseConsumerIsInAnotherNamespace_isNotWritten() {
        BareMetalHost host = host();
        Fields.map(host, "spec", "consumerRef").put("namespace", "other");

        assertThat(shown(machine("live-iso"), host).detachment(true, "c1")).isEmpty();
        assertThat(shown(machine("qcow2"), host).running(false).flatMap(Host.Running::obstacle))
                .hasValueSatisfying(obstacle -> assertThat(obstacle).contains("consumerRef"));
        assertThat(new Metal3Infrastructure(machine("qcow2"), host)
                        .powerOff(false)
                        .orElseThrow()
                        .patch())
                .isEmpty();
        assertThat(new Metal3Infrastructure(machine("qcow2"), host).identity())
                .isInstanceOfSatisfying(
                        HostIdentity.Unknown.class,
                        unknown -> assertThat(unknown.why().message())
                                .contains("BareMetalHost ns/h1 has no spec.consumerRef to Metal3Machine x1")
                                .doesNotContain("52:54"));
        host.getMetadata().setAnnotations(Map.of(Annotations.DETACHED_FOR, "c1"));
        assertThat(shown(machine("live-iso"), host).release()).isEmpty();
        Fields.map(host, "spec").remove("consumerRef");
        assertThat(shown(machine("live-iso"), host).release()).as("of none").isNotEmpty();
    }

    @Test
    void theAgentGetsNameAndLabel_andTheDiskHintsWhereALiveIsoInstalls() {
        HostHints image = shown(machine("qcow2"), host()).hints();
        HostHints live = shown(machine("live-iso"), host()).hints();

        assertThat(image).isEqualTo(new HostHints("h1", Map.of("metal3.io/uuid", "h1-uid"), null));
        assertThat(Objects.requireNonNull(live.disk()).source())
                .isEqualTo("spec.rootDeviceHints of BareMetalHost ns/h1");
        assertThat(new Metal3Infrastructure(machine("qcow2"), null).nodeLabels())
                .isEqualTo(image.nodeLabels().keySet());
    }

    @Test
    void aHostRuns_whileItIsProvisionedAndPoweredOn() {
        assertThat(shown(machine("qcow2"), host()).running(false)).hasValueSatisfying(running -> {
            assertThat(running.booted()).hasToString("2026-01-01T00:50:00Z");
            assertThat(running.rebootedFor()).isNull();
            assertThat(running.obstacle()).isEmpty();
        });
        assertThat(shown(machine("qcow2"), host()).running(true).flatMap(Host.Running::obstacle))
                .contains("it, its Metal3Machine or its Cluster is being deleted");
        BareMetalHost off = host();
        Fields.map(off, "status").put("poweredOn", false);
        assertThat(shown(machine("qcow2"), off).running(false)).isEqualTo(Optional.empty());
    }

    @Test
    void anUnreadableTime_isNotKnown() {
        BareMetalHost host = host();
        Fields.map(host, "status", "operationHistory", "provision").put("end", "yesterday");

        assertThat(shown(machine("qcow2"), host).running(false))
                .hasValueSatisfying(running -> assertThat(running.booted()).isNull());
    }

    private static Host shown(Metal3Machine machine, @Nullable BareMetalHost host) {
        return Objects.requireNonNull(new Metal3Infrastructure(machine, host).host());
    }

    private static BareMetalHost host() {
        return CachedMetal3.pruned(Serialization.unmarshal(HOST, BareMetalHost.class));
    }

    private static Metal3Machine machine(String format) {
        return Serialization.unmarshal("""
                ---
                metadata: {namespace: ns, name: x1}
                spec: {image: {url: "http://image", diskFormat: %s}}
                """.formatted(format), Metal3Machine.class);
    }
}
