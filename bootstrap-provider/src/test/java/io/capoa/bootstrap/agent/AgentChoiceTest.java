package io.capoa.bootstrap.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.contract.Agent;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AgentChoiceTest {

    @Test
    void theApprovedAgentIsTheMachines_otherwiseTheFirst() {
        Agent first = agent("b", 0, false, "known");
        Agent second = agent("a", 1, false, "known");
        Agent approved = agent("c", 2, true, "known");

        assertThat(AgentChoice.among(List.of(second, first)).agent()).isSameAs(first);
        AgentChoice choice = AgentChoice.among(List.of(second, first, approved));
        assertThat(choice.agent()).isSameAs(approved);
        assertThat(choice.others()).containsExactly(first, second);
        assertThat(choice.toWithdraw()).isEmpty();
    }

    @Test
    void anAgentThatIsGoing_doesNotCount() {
        Agent going = agent("a", 0, true, "known");
        going.getMetadata().setDeletionTimestamp("2026-01-02T00:00:00Z");
        Agent back = agent("b", 1, false, "known");

        assertThat(AgentChoice.among(List.of(going, back)).agent()).isSameAs(back);
        assertThat(AgentChoice.among(List.of(going)).agent()).isNull();
    }

    @Test
    void aHostThatComesBackUnderANewId_takesThePlaceAndTheApprovalOfWhatItWas() {
        Agent old = agent("a", 0, true, "disconnected");
        Agent back = agent("b", 1, false, "known");

        AgentChoice choice = AgentChoice.among(List.of(old, back));

        assertThat(choice.agent()).isSameAs(back);
        assertThat(choice.toWithdraw()).containsExactly(old);
    }

    @Test
    void anInstallationThatHasBegun_isNeverGivenToAnotherHost() {
        Agent installing = agent("b", 1, true, "installing-in-progress");
        Agent other = agent("a", 0, true, "known");

        AgentChoice choice = AgentChoice.among(List.of(other, installing));

        assertThat(choice.agent()).isSameAs(installing);
        assertThat(choice.toWithdraw()).containsExactly(other);
    }

    @Test
    void ofTwoApproved_oneKeepsIt() {
        Agent first = agent("a", 0, true, "known");
        Agent second = agent("b", 1, true, "known");

        AgentChoice choice = AgentChoice.among(List.of(second, first));

        assertThat(choice.agent()).isSameAs(first);
        assertThat(choice.toWithdraw()).containsExactly(second);
    }

    private static Agent agent(String name, int second, boolean approved, String state) {
        Agent agent = new Agent();
        agent.setMetadata(new ObjectMetaBuilder()
                .withName(name)
                .withCreationTimestamp("2026-01-01T00:00:0" + second + "Z")
                .build());
        agent.setAdditionalProperty("spec", Map.of("approved", approved));
        agent.setAdditionalProperty("status", Map.of("debugInfo", Map.of("state", state)));
        return agent;
    }
}
