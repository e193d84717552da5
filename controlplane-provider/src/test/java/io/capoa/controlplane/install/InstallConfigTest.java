package io.capoa.controlplane.install;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.controlplane.testing.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The install-config override. */
class InstallConfigTest {

    private static final String DEFAULTS =
            "\"baremetal\",\"Console\",\"Insights\",\"OperatorLifecycleManager\",\"Ingress\",\"marketplace\",\"NodeTuning\",\"DeploymentConfig\"";

    /** Of mirror registries; assisted-service adds them itself, unless the bundle is overridden. */
    private static final String MIRRORS = "M\n";

    private static final String VIPS = "apiVIPs: [192.0.2.1], ingressVIPs: [192.0.2.2]";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | None | ''",
                "', capabilities: {additionalEnabledCapabilities: [CloudControllerManager]}' | None | ',\"CloudControllerManager\"'",
                "', capabilities: {additionalEnabledCapabilities: [baremetal]}' | None | ''",
                "', capabilities: {additionalEnabledCapabilities: [machineapi, MachineAPI]}' | None | ''",
                "', capabilities: {baselineCapability: vCurrent}' | vCurrent | ''",
            })
    void onBareMetal_theDefaultsAreSet_andMachineApiNeverIs(String capabilities, String baseline, String more) {
        assertThat(override("{}", VIPS + capabilities))
                .isEqualTo("{\"capabilities\":{\"baselineCapabilitySet\":\"" + baseline
                        + "\",\"additionalEnabledCapabilities\":[" + DEFAULTS + more + "]}}");
    }

    @Test
    void onOtherPlatforms_onlyTheUsersCapabilitiesAreSet() {
        assertThat(override("{}", "")).isNull();
        assertThat(override("{}", "capabilities: {additionalEnabledCapabilities: [MachineAPI]}"))
                .isEqualTo(
                        "{\"capabilities\":{\"baselineCapabilitySet\":\"vCurrent\",\"additionalEnabledCapabilities\":[\"MachineAPI\"]}}");
        assertThat(override("{}", "capabilities: {baselineCapability: v4.17}"))
                .isEqualTo("{\"capabilities\":{\"baselineCapabilitySet\":\"v4.17\"}}");
        assertThat(override("{}", "capabilities: {baselineCapability: v4.8, additionalEnabledCapabilities: [Console]}"))
                .isEqualTo(
                        "{\"capabilities\":{\"baselineCapabilitySet\":\"v4.8\",\"additionalEnabledCapabilities\":[\"Console\"]}}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "External, cloudControllerManager: External | None | '\"CloudControllerManager\",\"Ingress\",\"Console\"'",
                "External, cloudControllerManager: External | v4.17 | '\"Console\"'",
                "External | None | '\"Console\"'",
                "VSphere | None | '\"CloudControllerManager\",\"CloudCredential\",\"Ingress\",\"Console\"'",
                "Nutanix | None | '\"CloudControllerManager\",\"CloudCredential\",\"Ingress\",\"Console\"'",
                "VSphere | vCurrent | '\"Console\"'",
            })
    void toTheBaselineNone_whatThePlatformRequiresIsAdded(String platform, String baseline, String names) {
        assertThat(override(
                        "{}",
                        "platform: {type: " + platform + "}, capabilities: {baselineCapability: " + baseline
                                + ", additionalEnabledCapabilities: [Console]}"))
                .isEqualTo("{\"capabilities\":{\"baselineCapabilitySet\":\"" + baseline
                        + "\",\"additionalEnabledCapabilities\":[" + names + "]}}");
    }

    @ParameterizedTest
    @CsvSource({"abcd", "xv4.17", "v4.17x"})
    void anInvalidBaseline_isRejected(String baseline) {
        assertThat(of("{}", "capabilities: {baselineCapability: " + baseline + "}"))
                .isEqualTo(new InstallConfig.Invalid(
                        "invalid baseline capability set, must be one of: None, vCurrent, or v4.x. Got: [" + baseline
                                + "]"));
    }

    @Test
    void theAnnotationAlone_isPassedOnUnchanged() {
        assertThat(override(annotation("{\"networking\": {\"networkType\":\"Calico\"}}"), ""))
                .isEqualTo("{\"networking\": {\"networkType\":\"Calico\"}}");
    }

    @Test
    void annotationAndCapabilities_areMergedDeeply() {
        assertThat(override(
                        annotation(
                                "{\"networking\":{\"a\":1},\"capabilities\":{\"baselineCapabilitySet\":\"v4.11\",\"additionalEnabledCapabilities\":[\"Storage\",\"MachineAPI\"]}}"),
                        VIPS))
                .isEqualTo("{\"capabilities\":{\"additionalEnabledCapabilities\":[" + DEFAULTS
                        + ",\"Storage\"],\"baselineCapabilitySet\":\"v4.11\"},\"networking\":{\"a\":1}}");
    }

    @Test
    void anAnnotationThatIsNotAnObject_isRejectedByName() {
        assertThat(of(annotation("[1]"), ""))
                .isEqualTo(new InstallConfig.Invalid(
                        "annotation controlplane.cluster.x-k8s.io/install-config-override must hold a JSON object"));
        assertThat(of(annotation("{"), "")).isInstanceOf(InstallConfig.Invalid.class);
    }

    @Test
    void certificatesOfTheUserAndOfMirrors_areTrustedTogether() {
        assertThat(override("{}", "additionalTrustBundle: \"A\\n\""))
                .isEqualTo("{\"additionalTrustBundle\":\"A\\nM\\n\",\"additionalTrustBundlePolicy\":\"Always\"}");
        assertThat(override(
                        annotation("{\"additionalTrustBundle\":\"B\",\"additionalTrustBundlePolicy\":\"Proxyonly\"}"),
                        "additionalTrustBundle: A"))
                .isEqualTo(
                        "{\"additionalTrustBundle\":\"A\\nB\\nM\\n\",\"additionalTrustBundlePolicy\":\"Proxyonly\"}");
        assertThat(override(annotation("{\"additionalTrustBundle\":\"B\"}"), ""))
                .isEqualTo("{\"additionalTrustBundle\":\"B\\nM\\n\"}");
    }

    @Test
    void onBareMetal_machineApiInTheAnnotation_isOmitted() {
        assertThat(override(
                        annotation("{\"capabilities\":{\"additionalEnabledCapabilities\":[\"MachineAPI\"]}}"),
                        VIPS + ", capabilities: {additionalEnabledCapabilities: [MachineAPI]}"))
                .isEqualTo("{\"capabilities\":{\"additionalEnabledCapabilities\":[" + DEFAULTS
                        + "],\"baselineCapabilitySet\":\"None\"}}");
    }

    private static String annotation(String json) {
        return "{controlplane.cluster.x-k8s.io/install-config-override: '" + json + "'}";
    }

    private static InstallConfig of(String annotations, String config) {
        ControlPlaneIdentity identity = Objects.identity(annotations, config);
        return InstallConfig.of(
                identity, Platform.of(identity.controlPlane().getSpec().config()), MIRRORS);
    }

    private static @org.jspecify.annotations.Nullable String override(String annotations, String config) {
        return of(annotations, config) instanceof InstallConfig.Overrides overrides ? overrides.json() : "invalid";
    }
}
