package io.capoa.lab.assisted;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.contract.Agent;
import io.capoa.lab.controller.Key;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {"ignition": {"version": "3.1.0"}} |
            {"ignition": {"version": "3.2.0"}} |
            {"ignition": {"version": "3.0.0"}} | unsupported config version
            {"ignition": {"version": "3.3.0"}} | unsupported config version
            {"ignition": {"version": "3.4.0"}} | unsupported config version
            {"ignition": {}}                   | unsupported config version
            {}                                 | unsupported config version
            {                                  | config is not valid
            """)
    void anOverride_isOfExactlyTheVersions31And32(String override, @Nullable String message) {
        SpecSync sync = AgentSpec.check(wish(override, "", ""), INVENTORY);

        assertThat(sync.isOk()).isEqualTo(message == null);
        if (message != null) {
            assertThat(sync.message()).contains("error parsing ignition: " + message + ", error report: ");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            data:,hello%20world              |
            data:text/plain;charset=utf-8,a  |
            data:application/json;base64,e30=|
            data:,hello world                | invalid data character
            data:,{}                         | invalid data character
            data:,100%                       | rfc2396: invalid char 0x25 in unescape sequence
            data:;base64,aGk%3D              | invalid data character
            data:;base64,aGk                 | illegal base64 data
            data:base64,aGk=                 | invalid character for media type
            data:;BASE64,aGk=                | invalid character for media type
            data:aGk=                        | missing comma before data
            """)
    void sourcesOfAnOverride_areReadAsIgnitionReadsThem(String url, @Nullable String message) {
        String override = """
                {"ignition": {"version": "3.1.0"}, "storage": {"files": [{"path": "/a", "contents": {"source": "%s"}}]}}
                """.formatted(url);
        SpecSync sync = AgentSpec.check(wish(override, "", ""), INVENTORY);

        assertThat(sync.isOk()).isEqualTo(message == null);
        if (message != null) {
            assertThat(sync.message()).contains("error at $.storage.files.0.contents.source: " + message);
        }
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
                .endsWith("found unexpected flag -x for installer - allowed flags are [--append-karg --delete-karg -n"
                        + " --copy-network --network-dir --save-partlabel --save-partindex --image-url --image-file]");
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
