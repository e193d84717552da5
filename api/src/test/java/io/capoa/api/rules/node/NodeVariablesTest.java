package io.capoa.api.rules.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigSpec.NodeRegistration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NodeVariablesTest {

    private static NodeRegistration node(String source) {
        return new NodeRegistration(
                "METADATA_LOCAL_HOSTNAME",
                List.of("zone=${METADATA_ZONE}", "rack=r1", "a=$METADATA_X-$METADATA_ZONE"),
                "x://$METADATA_PROVIDER_ID",
                source);
    }

    @Test
    void variablesAreFoundByTheirFields() {
        assertThat(NodeVariables.byField(node("")))
                .containsExactly(
                        Map.entry("name", List.of("METADATA_LOCAL_HOSTNAME")),
                        Map.entry("providerID", List.of("METADATA_PROVIDER_ID")),
                        Map.entry("kubeletExtraLabels zone", List.of("METADATA_ZONE")),
                        Map.entry("kubeletExtraLabels a", List.of("METADATA_X", "METADATA_ZONE")));
    }

    @Test
    void theKeysOfADrive_areNotKnownBefore() {
        assertThat(NodeVariables.unprovided(node(""))).isEmpty();
        assertThat(NodeVariables.unprovided(node("ConfigDrive"))).isEmpty();
        assertThat(NodeVariables.unprovided(node("OpenStack"))).isEmpty();
    }

    @Test
    void whatAServiceDoesNotProvide_isNamedWithTheField() {
        assertThat(NodeVariables.unprovided(node("Azure")))
                .hasValueSatisfying(problem -> assertThat(problem)
                        .startsWith("nodeRegistration.kubeletExtraLabels a needs $METADATA_X, which")
                        .contains("Azure does not provide"));
        assertThat(NodeVariables.unprovided(node("None")))
                .hasValueSatisfying(problem ->
                        assertThat(problem).startsWith("nodeRegistration.name needs $METADATA_LOCAL_HOSTNAME"));
    }

    @Test
    void aSourceOfALaterVersion_isNamedAsInvalid() {
        assertThatExceptionOfType(InvalidNodeRegistrationException.class)
                .isThrownBy(() -> NodeVariables.unprovided(node("Oracle")))
                .withMessage(
                        "invalid nodeRegistration.metadataSource: write ConfigDrive, AWS, Azure, GCP, OpenStack, None");
    }
}
