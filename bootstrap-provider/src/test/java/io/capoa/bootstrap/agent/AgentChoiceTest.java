package io.capoa.bootstrap.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.contract.Agent;
import io.capoa.bootstrap.agent.AgentChoice.Standing;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AgentChoiceTest {

    private static final String MAC = "52:54:00:0a:00:01";
    private static final HostIdentity HOST = new HostIdentity.BootMac(MAC, "host h1", "correct it");
    private static final HostIdentity NOTHING = new HostIdentity.Nothing("no MAC address");

    @Test
    void theApprovedAgentOfTheHostIsTheMachines_otherwiseTheFirst() {
        Agent first = agent("b", 0, false, "known", MAC);
        Agent second = agent("a", 1, false, "known", MAC);
        Agent approved = agent("c", 2, true, "known", MAC);

        assertThat(AgentChoice.among(List.of(second, first), HOST).agent()).isSameAs(first);
        AgentChoice choice = AgentChoice.among(List.of(second, first, approved), HOST);
        assertThat(choice.agent()).isSameAs(approved);
        assertThat(choice.others()).containsExactly(first, second);
        assertThat(choice.toWithdraw()).isEmpty();
    }

    @Test
    void anotherHost_isNeverTheMachines_howeverItStands() {
        Agent stale = agent("a", 0, false, "known", "52:54:00:0b:00:02");
        Agent approved = agent("b", 0, true, "known", "52:54:00:0b:00:03");
        Agent own = agent("c", 9, false, "disconnected", MAC);

        AgentChoice without = AgentChoice.among(List.of(stale, approved), HOST);
        assertThat(without.standing()).isEqualTo(Standing.WRONG_HOST);
        assertThat(without.agent()).isNull();
        assertThat(without.toWithdraw()).containsExactly(approved);

        AgentChoice with = AgentChoice.among(List.of(stale, approved, own), HOST);
        assertThat(with.standing()).isEqualTo(Standing.SURE);
        assertThat(with.agent()).isSameAs(own);
        assertThat(with.toWithdraw()).containsExactly(approved);
    }

    @Test
    void aHostThatHasNotReportedItsInterfaces_mayBeTheMachines_unlessItsOwnHas() {
        Agent wrong = agent("a", 0, false, "known", "52:54:00:0b:00:02");
        Agent silent = agent("b", 1, true, "discovering", null);
        Agent own = agent("c", 2, false, "known", MAC);

        AgentChoice waiting = AgentChoice.among(List.of(wrong, silent), HOST);
        assertThat(waiting.standing()).isEqualTo(Standing.UNIDENTIFIED);
        assertThat(waiting.agent()).isSameAs(silent);
        assertThat(waiting.toWithdraw()).isEmpty();
        assertThat(AgentChoice.among(List.of(wrong, silent, own), HOST).agent()).isSameAs(own);
    }

    @Test
    void whereNothingTellsHostsApart_theOnlyOneOrTheApprovedOneIsTaken() {
        Agent first = agent("a", 0, false, "known", MAC);
        Agent second = agent("b", 1, false, "known", MAC);
        Agent lost = agent("c", 2, true, "disconnected", null);

        assertThat(AgentChoice.among(List.of(first), NOTHING).agent()).isSameAs(first);
        assertThat(AgentChoice.among(List.of(first, second), NOTHING).standing())
                .isEqualTo(Standing.AMBIGUOUS);
        assertThat(AgentChoice.among(List.of(first, second, lost), NOTHING).agent())
                .isSameAs(lost);
    }

    @Test
    void anAgentThatIsGoing_doesNotCount() {
        Agent going = agent("a", 0, true, "known", MAC);
        going.getMetadata().setDeletionTimestamp("2026-01-02T00:00:00Z");
        Agent back = agent("b", 1, false, "known", MAC);

        for (HostIdentity identity : List.of(HOST, NOTHING)) {
            assertThat(AgentChoice.among(List.of(going, back), identity).agent())
                    .isSameAs(back);
            assertThat(AgentChoice.among(List.of(going), identity).agent()).isNull();
        }
    }

    @Test
    void aHostThatComesBackUnderANewId_takesThePlaceAndTheApprovalOfWhatItWas() {
        Agent old = agent("a", 0, true, "disconnected", MAC);
        Agent back = agent("b", 1, false, "known", MAC);

        AgentChoice choice = AgentChoice.among(List.of(old, back), HOST);

        assertThat(choice.agent()).isSameAs(back);
        assertThat(choice.toWithdraw()).containsExactly(old);
    }

    @Test
    void anInstallationThatHasBegun_isNeverGivenToAnotherHost() {
        Agent installing = agent("b", 1, true, "installing-in-progress", "52:54:00:0b:00:02");
        Agent other = agent("a", 0, true, "known", MAC);

        for (HostIdentity identity : List.of(HOST, NOTHING)) {
            AgentChoice choice = AgentChoice.among(List.of(other, installing), identity);

            assertThat(choice.agent()).isSameAs(installing);
            assertThat(choice.toWithdraw()).containsExactly(other);
        }
    }

    @Test
    void ofTwoApproved_oneKeepsIt() {
        Agent first = agent("a", 0, true, "known", MAC);
        Agent second = agent("b", 1, true, "known", MAC);

        for (HostIdentity identity : List.of(HOST, NOTHING)) {
            AgentChoice choice = AgentChoice.among(List.of(second, first), identity);

            assertThat(choice.agent()).isSameAs(first);
            assertThat(choice.toWithdraw()).containsExactly(second);
        }
    }

    private static Agent agent(String name, int second, boolean approved, String state, @Nullable String mac) {
        Agent agent = new Agent();
        agent.setMetadata(new ObjectMetaBuilder()
                .withName(name)
                .withCreationTimestamp("2026-01-01T00:00:0" + second + "Z")
                .build());
        agent.setAdditionalProperty("spec", Map.of("approved", approved));
        agent.setAdditionalProperty(
                "status",
                Map.of(
                        "debugInfo",
                        Map.of("state", state),
                        "inventory",
                        mac == null ? Map.of() : Map.of("interfaces", List.of(Map.of("macAddress", mac)))));
        return agent;
    }
}
