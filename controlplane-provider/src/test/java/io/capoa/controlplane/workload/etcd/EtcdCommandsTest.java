package io.capoa.controlplane.workload.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Set;
import org.junit.jupiter.api.Test;

/** What etcdctl of a workload cluster answers, which its administrator may replace. */
class EtcdCommandsTest {

    @Test
    void theNameOfAMember_isCut_beforeAMessageQuotesIt() throws Exception {
        String list = "{\"members\": [{\"ID\": 17, \"name\": \"" + "m\\n".repeat(50_000) + "\"}]}";

        EtcdMember member = EtcdCommands.parse(list, "[{}]").getFirst();

        assertThat(member.label()).hasSize(254).startsWith("m m m ").endsWith("…");
        assertThat(member.id()).isEqualTo("11");
    }

    @Test
    void theDigitsOfAnId_areLimited() {
        assertThatExceptionOfType(EtcdCommands.CommandFailure.class)
                .isThrownBy(() -> EtcdCommands.parse("{\"members\": [{\"ID\": " + "9".repeat(200_000) + "}]}", "[{}]"))
                .withMessage("etcdctl answers what is not JSON");
    }

    @Test
    void aLeaderIsSucceeded_byAMemberThatVotes() {
        String status = """
                [{"Endpoint": "https://a:2379", "Status": {"header": {"member_id": 18446744073709551615}, "leader": 18446744073709551615}},
                 {"Endpoint": "https://b:2379", "Status": {"header": {"member_id": 2}, "leader": 18446744073709551615, "isLearner": true}},
                 {"Endpoint": "https://c:2379", "Status": {"header": {"member_id": 255}, "leader": 18446744073709551615}}]
                """;
        assertThat(EtcdCommands.successor(status, leaving("ffffffffffffffff"))).contains("ff");
        assertThat(EtcdCommands.successor(status, leaving("ff")))
                .as("it does not lead")
                .isEmpty();
        assertThat(EtcdCommands.successor(status.replace("551615}}]", "551614}}]"), leaving("ffffffffffffffff")))
                .as("they do not agree")
                .isEmpty();
        assertThat(EtcdCommands.successor("no JSON", leaving("ff"))).isEmpty();
        assertThat(EtcdCommands.successor("[]", leaving("ff"))).isEmpty();
    }

    private static EtcdMember leaving(String id) {
        return new EtcdMember(id, "n", Set.of(), false, true);
    }
}
