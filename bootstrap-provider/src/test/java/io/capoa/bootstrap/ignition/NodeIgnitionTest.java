package io.capoa.bootstrap.ignition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.capoa.api.rules.node.InvalidIgnitionException;
import io.capoa.api.rules.node.InvalidNodeRegistrationException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NodeIgnitionTest {

    private static final String EVERYTHING = """
            preBootstrapCommands: [echo pre]
            postBootstrapCommands: [echo post]
            nodeRegistration:
              name: $METADATA_NAME
              kubeletExtraLabels: [b=$METADATA_B, a=$METADATA_A, c=1]
              providerID: openstack://$METADATA_UUID
            """;

    @Test
    void unitsStandInTheOrderOfTheBoot() {
        assertThat(units(NodeIgnition.installTime(Specs.of(EVERYTHING), null)))
                .containsExactly(
                        "configdrive-metadata.service",
                        "kubelet-customlabels.service",
                        "set-hostname.service",
                        "capoa-pre-bootstrap.service",
                        "capoa-post-bootstrap.service",
                        "capoa-inject-provider-id.service",
                        "capoa-bootstrap-success.service");
    }

    @Test
    void withoutSettings_onlyTheMarkOfSuccessIsLeft() {
        assertThat(units(NodeIgnition.installTime(Specs.of("{}"), null)))
                .containsExactly("capoa-bootstrap-success.service");
    }

    @Test
    void theResultIsVersion31_andTheSameEachTime() {
        String once = NodeIgnition.installTime(Specs.of(EVERYTHING), null);

        assertThat(Ignition.parse(once, "test").version()).isEqualTo("3.1.0");
        assertThat(NodeIgnition.installTime(Specs.of(EVERYTHING), null)).isEqualTo(once);
    }

    @ParameterizedTest
    @ValueSource(strings = {"MachineName", "HostName"})
    void aPolicyAndAVariableThatBothNameTheHost_areRefused(String policy) {
        assertThatExceptionOfType(InvalidNodeRegistrationException.class)
                .isThrownBy(() -> NodeIgnition.installTime(
                        Specs.of("hostnamePolicy: " + policy + "\nnodeRegistration: {name: $METADATA_NAME}"), null))
                .withMessageContaining("hostnamePolicy " + policy)
                .withMessageContaining("leave one of them out");
        assertThat(units(NodeIgnition.installTime(
                        Specs.of("hostnamePolicy: None\nnodeRegistration: {name: $METADATA_NAME}"), null)))
                .contains("set-hostname.service");
    }

    @Test
    void unitsCarryTheSentinelDirectory() {
        String ignition = NodeIgnition.installTime(
                Specs.of("preBootstrapCommands: [a]\nbootstrapCommandSentinelDir: /srv//mine/"), null);

        assertThat(ignition).contains("ConditionPathExists=!/srv/mine/pre-bootstrap.done");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"$VAR$(whoami)", "$VAR`id`", "$1VAR", "$VAR-NAME", "$VAR;echo", "$VAR NAME", "a$(b)", "a\\nb"})
    void aLabelValueThatIsMoreThanTextAndVariables_isRejected(String value) {
        assertThatExceptionOfType(InvalidNodeRegistrationException.class)
                .isThrownBy(() -> NodeIgnition.installTime(
                        Specs.of("nodeRegistration: {kubeletExtraLabels: [\"k=" + value + "\"]}"), null))
                .withMessageStartingWith("invalid kubelet extra labels: the value of k");
    }

    @ParameterizedTest
    @ValueSource(strings = {"k$(x)=a", "a b=c", "-x=y"})
    void aLabelKeyThatIsNone_isRejected(String entry) {
        assertThatExceptionOfType(InvalidNodeRegistrationException.class)
                .isThrownBy(() -> NodeIgnition.installTime(
                        Specs.of("nodeRegistration: {kubeletExtraLabels: ['" + entry + "']}"), null));
    }

    @ParameterizedTest
    @ValueSource(strings = {"$1", "x'y", "a b", "$A-$B", "id; reboot"})
    void aProviderIdThatCannotBeOne_isRejected(String id) {
        assertThatExceptionOfType(InvalidNodeRegistrationException.class)
                .isThrownBy(() ->
                        NodeIgnition.installTime(Specs.of("nodeRegistration: {providerID: \"" + id + "\"}"), null))
                .withMessageStartingWith("invalid providerID");
    }

    @Test
    void anOverrideIsMerged_andWins() {
        String merged = NodeIgnition.installTime(Specs.of("{}"), """
                {"ignition": {"version": "3.0.0"}, "systemd": {"units": [
                  {"name": "capoa-bootstrap-success.service", "enabled": false}, {"name": "mine.service"}]}}
                """);

        assertThat(units(merged)).containsExactly("capoa-bootstrap-success.service", "mine.service");
        assertThat(merged).contains("\"enabled\":false").contains("\"version\":\"3.1.0\"");
    }

    @Test
    void anOverrideThatIsNotJson_isIgnored() {
        assertThat(NodeIgnition.installTime(Specs.of("{}"), "{nope"))
                .isEqualTo(NodeIgnition.installTime(Specs.of("{}"), null));
    }

    @ParameterizedTest
    @ValueSource(strings = {"99.0.0", "3.3.0", "3.5.0", "2.2.0"})
    void anOverrideOfAnotherVersion_isRejectedByTheNameOfItsAnnotation(String version) {
        assertThatExceptionOfType(InvalidIgnitionException.class)
                .isThrownBy(() ->
                        NodeIgnition.installTime(Specs.of("{}"), "{\"ignition\":{\"version\":\"" + version + "\"}}"))
                .withMessageContaining("ignition-override")
                .withMessageContaining(version);
    }

    @Test
    void anOverrideOfVersion32_isMerged_andGivesTheVersion() {
        assertThat(NodeIgnition.installTime(Specs.of("{}"), "{\"ignition\":{\"version\":\"3.2.0\"}}"))
                .contains("\"version\":\"3.2.0\"", "capoa-bootstrap-success.service");
    }

    @Test
    void anOverrideOfTheDiscoveryIgnition_isOfAVersionThatAssistedServiceTakes() {
        for (String version : List.of("3.1.0", "3.2.0")) {
            assertThat(NodeIgnition.discoveryOverride("{\"ignition\":{\"version\":\"" + version + "\"}}"))
                    .isPresent();
        }
        for (String version : List.of("3.0.0", "3.3.0", "3.4.0", "3.5.0")) {
            assertThatExceptionOfType(InvalidIgnitionException.class)
                    .isThrownBy(
                            () -> NodeIgnition.discoveryOverride("{\"ignition\":{\"version\":\"" + version + "\"}}"))
                    .withMessageContaining("discovery-ignition-override has Ignition version " + version
                            + ": write it in version 3.1.0 or 3.2.0");
        }
        assertThat(NodeIgnition.discoveryOverride("{nope")).isEmpty();
        assertThat(NodeIgnition.discoveryOverride(null)).isEmpty();
    }

    @Test
    void withoutAName_theDownloadIsPassedOnUnchanged() {
        byte[] bytes = "{ \"ignition\" : {\"version\":\"3.4.0\"}, \"x\": 1.50 }".getBytes(StandardCharsets.UTF_8);

        assertThat(NodeIgnition.discovery(bytes, Specs.of("{}"), "test")).isSameAs(bytes);
    }

    @Test
    void withAName_theHostnameUnitsAreAdded_andNothingIsLost() {
        byte[] bytes = """
                {"ignition": {"version": "3.4.0"}, "new": {"field": [1]}, "storage": {"files": [{"path": "/a"}]}}
                """.getBytes(StandardCharsets.UTF_8);

        String merged = new String(
                NodeIgnition.discovery(bytes, Specs.of("nodeRegistration: {name: $X, providerID: p}"), "test"),
                StandardCharsets.UTF_8);

        assertThat(units(merged)).containsExactly("configdrive-metadata.service", "set-hostname.service");
        assertThat(merged).contains("\"version\":\"3.4.0\"", "\"new\":{\"field\":[1]}", "\"path\":\"/a\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"<html>", "[]", "{}", "{\"ignition\":{\"version\":\"3.6.0\"}}", "{\"a\":1}{\"b\":2}"})
    void aDownloadThatIsNoIgnition_isRejectedByItsName(String body) {
        assertThatExceptionOfType(InvalidIgnitionException.class)
                .isThrownBy(() -> NodeIgnition.discovery(
                        body.getBytes(StandardCharsets.UTF_8), Specs.of("{}"), "The ignition of InfraEnv a/b"))
                .withMessageStartingWith("The ignition of InfraEnv a/b");
    }

    @ParameterizedTest
    @ValueSource(strings = {"AWS", "Azure", "GCP", "OpenStack"})
    void withAMetadataService_theCloudsScriptTakesThePlaceOfTheConfigDrives(String source) {
        String spec = "nodeRegistration: {name: $METADATA_LOCAL_HOSTNAME, metadataSource: " + source + "}";

        assertThat(units(NodeIgnition.installTime(Specs.of(spec), null)))
                .containsExactly(
                        "capoa-cloud-metadata.service", "set-hostname.service", "capoa-bootstrap-success.service");
        assertThat(units(new String(
                        NodeIgnition.discovery(
                                "{\"ignition\":{\"version\":\"3.1.0\"}}".getBytes(StandardCharsets.UTF_8),
                                Specs.of(spec),
                                "test"),
                        StandardCharsets.UTF_8)))
                .containsExactly("capoa-cloud-metadata.service", "set-hostname.service");
    }

    @Test
    void theConfigDriveIsTheDefault() {
        String chosen = EVERYTHING.replace("nodeRegistration:", "nodeRegistration:\n  metadataSource: ConfigDrive");

        assertThat(NodeIgnition.installTime(Specs.of(chosen), null))
                .isEqualTo(NodeIgnition.installTime(Specs.of(EVERYTHING), null));
    }

    @Test
    void aChosenSource_servesTheCommandsToo() {
        assertThat(units(NodeIgnition.installTime(
                        Specs.of("preBootstrapCommands: [a]\nnodeRegistration: {metadataSource: GCP}"), null)))
                .contains("capoa-cloud-metadata.service");
        assertThat(units(NodeIgnition.installTime(
                        Specs.of("preBootstrapCommands: [a]\nnodeRegistration: {metadataSource: None}"), null)))
                .doesNotContain("capoa-cloud-metadata.service", "configdrive-metadata.service");
    }

    @Test
    void settingsWithoutVariables_needNoSource() {
        assertThat(units(NodeIgnition.installTime(
                        Specs.of("nodeRegistration: {metadataSource: None, kubeletExtraLabels: [a=b]}"), null)))
                .containsExactly("kubelet-customlabels.service", "capoa-bootstrap-success.service");
    }

    @ParameterizedTest
    @CsvSource({
        "AWS, name: METADATA_UUID, nodeRegistration.name needs $METADATA_UUID",
        "GCP, 'kubeletExtraLabels: [a=$METADATA_NAME]', nodeRegistration.kubeletExtraLabels a needs $METADATA_NAME",
        "None, providerID: x://$METADATA_ID, nodeRegistration.metadataSource None provides no variables",
        "Oracle, name: $METADATA_NAME, 'write ConfigDrive, AWS, Azure, GCP, OpenStack, None'"
    })
    void aVariableThatTheSourceDoesNotProvide_isRejected(String source, String setting, String message) {
        assertThatExceptionOfType(InvalidNodeRegistrationException.class)
                .isThrownBy(() -> NodeIgnition.installTime(
                        Specs.of("nodeRegistration: {metadataSource: %s, %s}".formatted(source, setting)), null))
                .withMessageContaining(message);
    }

    private static List<String> units(String ignition) {
        return Ignition.parse(ignition, "test")
                .units()
                .map(unit -> unit.path("name").asText())
                .toList();
    }
}
