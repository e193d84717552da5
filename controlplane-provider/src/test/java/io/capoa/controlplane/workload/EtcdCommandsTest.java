package io.capoa.controlplane.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;

/** What etcdctl of a workload cluster answers, which its administrator may replace. */
class EtcdCommandsTest {

    @Test
    void theNameOfAMember_isCut_beforeAMessageQuotesIt() throws Exception {
        String list = "{\"members\": [{\"ID\": 17, \"name\": \"" + "m\\n".repeat(50_000) + "\"}]}";

        EtcdMember member = EtcdCommands.parse(list, "[]").getFirst();

        assertThat(member.label()).hasSize(254).startsWith("m m m ").endsWith("…");
        assertThat(member.id()).isEqualTo("11");
    }

    @Test
    void theDigitsOfAnId_areLimited() {
        assertThatExceptionOfType(EtcdCommands.Failed.class)
                .isThrownBy(() -> EtcdCommands.parse("{\"members\": [{\"ID\": " + "9".repeat(200_000) + "}]}", "[]"))
                .withMessage("etcdctl answers what is not JSON");
    }
}
