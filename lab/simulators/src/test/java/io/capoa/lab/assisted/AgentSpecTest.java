package io.capoa.lab.assisted;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.contract.Agent;
import io.capoa.lab.controller.Key;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AgentSpecTest {

    private static final Map<String, Object> INVENTORY = Map.of("disks", List.of(Map.of("id", "/dev/sda")));

    @Test
    void anEmptySpec_isAccepted() {
        assertThat(AgentSpec.check(wish("", "", ""), INVENTORY).isOk()).isTrue();
    }

    @Test
    void aDiskThatTheHostLacks_isAnInputError() {
        assertThat(AgentSpec.check(wish("", "", "/dev/sda"), INVENTORY).isOk()).isTrue();
        assertThat(AgentSpec.check(wish("", "", "/dev/sdb"), INVENTORY).message())
                .contains("Requested installation disk is not part of the host's valid disks");
    }

    @Test
    void anOverrideThatIsNotAnIgnition_isAnInputError() {
        assertThat(AgentSpec.check(wish("{}", "", ""), INVENTORY).message()).contains("ignition.version");
    }

    @Test
    void installerArgs_areAJsonArray() {
        assertThat(AgentSpec.check(wish("", "[\"--append-karg\", \"a\"]", ""), INVENTORY)
                        .isOk())
                .isTrue();
        assertThat(AgentSpec.check(wish("", "{}", ""), INVENTORY).message()).contains("is not a JSON array");
        assertThat(AgentSpec.check(wish("", "--append-karg", ""), INVENTORY).message())
                .contains("is not JSON");
    }

    @Test
    void flagsOfTheInstaller_areThoseOfTheServicesList_alsoWhereAValueIsMeant() {
        assertThat(AgentSpec.check(wish("", "[\"--copy-network\", \"--save-partlabel\", \"data\"]", ""), INVENTORY)
                        .isOk())
                .isTrue();
        assertThat(AgentSpec.check(wish("", "[\"--delete-karg=quiet\"]", ""), INVENTORY)
                        .message())
                .contains("found unexpected flag --delete-karg=quiet");
        assertThat(AgentSpec.check(wish("", "[\"--append-karg\", \"-x\"]", ""), INVENTORY)
                        .message())
                .contains("found unexpected flag -x");
    }

    @Test
    void valuesForTheInstaller_haveCharactersThatTheServiceAccepts() {
        assertThat(AgentSpec.check(wish("", "[\"--append-karg\", \"a=b,c<[1]\"]", ""), INVENTORY)
                        .isOk())
                .isTrue();
        for (String value : List.of("a b", "a?b", "a&b", "a>b", "~", "")) {
            assertThat(AgentSpec.check(wish("", "[\"--append-karg\", \"" + value + "\"]", ""), INVENTORY)
                            .message())
                    .contains("found unexpected chars in value " + value + " for installer");
        }
    }

    @Test
    void onlyAChange_isReported() {
        HostRecord host = new HostRecord(new Key("ns", "h"), "infra-env", INVENTORY);
        Agent agent = new Agent();
        agent.setMetadata(
                new ObjectMetaBuilder().withNamespace("ns").withName("h").build());
        agent.setAdditionalProperty("spec", Map.of("approved", true, "role", "worker"));

        assertThat(AgentSpec.accept(agent, host)).isTrue();
        assertThat(host.wish.role()).isEqualTo("worker");
        assertThat(AgentSpec.accept(agent, host)).isFalse();
    }

    private static HostRecord.Wish wish(String ignition, String installerArgs, String disk) {
        return new HostRecord.Wish(true, "", "", ignition, installerArgs, Map.of(), disk);
    }
}
