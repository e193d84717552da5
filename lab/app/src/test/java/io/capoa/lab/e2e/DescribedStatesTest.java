package io.capoa.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.Fields;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What {@code clusterctl describe} says of a cluster in trouble: the object, what is wrong, and the next step. */
@Tag("e2e")
@OnRealLab
class DescribedStatesTest {

    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);
    private static final String CONDITIONS = "--show-conditions=OpenshiftAssistedControlPlane";

    @Test
    void aHostOfAnothersName_isNamed(RealLab lab) {
        String namespace = lab.namespace(3);
        // Its name changes after the inspection, which would tell the plan otherwise.
        await().atMost(RealLab.SOON)
                .until(() -> Fields.any(host(lab, namespace, "host-2"), "status", "hardware") != null);
        patchHost(lab, namespace, "host-2", """
                {"metadata":{"annotations":{"lab.capoa.io/hardware":"hostname=host-0"}}}""");
        apply(lab, namespace, text -> text.replaceAll(" *hostnamePolicy: .*\n", ""));

        describe(
                lab,
                namespace,
                "duplicate-name",
                text -> assertThat(text)
                        .containsPattern("OpenshiftAssistedControlPlane .*False +HostsNotReady")
                        .contains("Hostname host-0 is not unique", "hostnamePolicy"));
    }

    @Test
    void aHintThatNoDiskMatches_isNamed_beforeAHostBoots(RealLab lab) {
        String namespace = lab.namespace(3);
        patchHost(lab, namespace, "host-1", "{\"spec\":{\"rootDeviceHints\":{\"model\":\"none-of-these\"}}}");
        apply(lab, namespace, UnaryOperator.identity());

        describe(
                lab,
                namespace,
                "wrong-disk",
                text -> assertThat(text)
                        .containsPattern("OpenshiftAssistedControlPlane .*False +BlockingFindings")
                        .contains("host-disk", "model=none-of-these", "spec.rootDeviceHints"));
    }

    @Test
    void anInstallationOnHold_saysWhatEndsIt(RealLab lab) {
        String namespace = lab.namespace(3);
        apply(lab, namespace, text -> text.replace("    baseDomain:", "    holdInstallation: true\n    baseDomain:"));

        describe(
                lab,
                namespace,
                "on-hold",
                text -> assertThat(text)
                        .containsPattern("OpenshiftAssistedControlPlane .*False +InstallationOnHold")
                        .contains("spec.config.holdInstallation is true"));
    }

    @Test
    void aRefusedUpgrade_andADeadMaster_areInTheConditions(RealLab lab) {
        String namespace = lab.namespace(3);
        apply(lab, namespace, UnaryOperator.identity());
        lab.awaitAvailable(namespace, "multinode", 3);

        patchVersion(lab, namespace, "4.20.99");
        describe(
                lab,
                namespace,
                "refused-upgrade",
                text -> assertThat(text)
                        .containsPattern("UpgradeAvailable +False +UpgradeNotOffered")
                        .contains("4.20.99"),
                CONDITIONS);
        patchVersion(lab, namespace, "4.20.3");

        patchHost(lab, namespace, "host-0", "{\"metadata\":{\"annotations\":{\"lab.capoa.io/fail\":\"dead\"}}}");
        describe(
                lab,
                namespace,
                "dead-master",
                text -> assertThat(text)
                        .containsPattern("OpenshiftAssistedControlPlane .* 3/3 +2 +2 +3")
                        .containsPattern("Ready +False +MachinesNotReady")
                        .containsPattern("EtcdClusterHealthy +False +NotHealthy")
                        .contains("etcd member host-0 does not answer: repair its host"),
                CONDITIONS);
    }

    private static void apply(RealLab lab, String namespace, UnaryOperator<String> change) {
        lab.applySample(namespace, text -> change.apply(text.replace("replicas: 2", "replicas: 0")));
    }

    /** Waits until the assertions hold, and keeps that output. */
    private static void describe(
            RealLab lab, String namespace, String state, Consumer<String> assertions, String... options) {
        Described.keep(state, lab.awaitDescribed(namespace, "multinode", assertions, options));
    }

    private static void patchVersion(RealLab lab, String namespace, String version) {
        patch(
                lab,
                lab.admin()
                        .resources(OpenshiftAssistedControlPlane.class)
                        .inNamespace(namespace)
                        .withName("multinode")
                        .require(),
                "{\"spec\":{\"distributionVersion\":\"%s\"}}".formatted(version));
    }

    private static void patchHost(RealLab lab, String namespace, String name, String json) {
        patch(lab, host(lab, namespace, name), json);
    }

    private static BareMetalHost host(RealLab lab, String namespace, String name) {
        return lab.admin()
                .resources(BareMetalHost.class)
                .inNamespace(namespace)
                .withName(name)
                .require();
    }

    private static void patch(RealLab lab, HasMetadata object, String json) {
        var unused = lab.admin().resource(object).patch(MERGE, json);
    }
}
