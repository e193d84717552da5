package io.capoa.lab.assisted;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.lab.assisted.InstallInputs.HostFacts;
import io.capoa.lab.controller.Key;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** An installation writes conditions and states in the recorded order of a real service. */
class RecordedSequencesTest {

    private final List<String> written = new ArrayList<>();
    private final Map<String, String> last = new LinkedHashMap<>();
    private ClusterState state = ClusterState.INSUFFICIENT;

    @Test
    void singleNode_proceedsFromInsufficientToAddingHosts() throws IOException {
        Requirements one = new Requirements(1, 0);
        run(one, List.of());
        run(one, hosts(1, HostState.KNOWN, true, 0));
        for (int percent : List.of(12, 50, 87)) {
            run(one, hosts(1, HostState.IN_PROGRESS, true, percent));
        }
        run(one, hosts(1, HostState.INSTALLED, true, 100));

        assertThat(written).containsExactlyElementsOf(recorded("day1-single-node.log"));
    }

    @Test
    void threeControlPlanes_waitForTheirApproval() throws IOException {
        Requirements three = new Requirements(3, 0);
        run(three, List.of());
        run(three, hosts(3, HostState.KNOWN, false, 0));
        run(three, hosts(3, HostState.KNOWN, true, 0));
        run(three, hosts(3, HostState.IN_PROGRESS, true, 50));
        run(three, hosts(3, HostState.INSTALLED, true, 100));

        assertThat(withoutPercent(written))
                .containsExactlyElementsOf(withoutPercent(recorded("day1-three-control-planes-external.log")));
    }

    @Test
    void aHostThatFails_endsTheInstallationForGood() throws IOException {
        Requirements one = new Requirements(1, 0);
        run(one, List.of());
        run(one, hosts(1, HostState.KNOWN, true, 0));
        run(one, hosts(1, HostState.IN_PROGRESS, true, 12));
        run(one, hosts(1, HostState.IN_PROGRESS, true, 25));
        run(one, hosts(1, HostState.ERROR, true, 25));

        assertThat(written).containsExactlyElementsOf(recorded("day1-failed.log"));
    }

    @Test
    void whileOneHostTooManyIsRegistered_nothingStarts() {
        run(new Requirements(1, 0), hosts(2, HostState.KNOWN, true, 0));

        assertThat(state).isEqualTo(ClusterState.READY);
    }

    @Test
    void anAgentsConditions_areThoseThatWereSeen() throws IOException {
        List<String> agent = new ArrayList<>();
        Map<String, String> seen = new LinkedHashMap<>();
        HostRecord host = new HostRecord(new Key("ns", "host"), "infra-env", Map.of());
        host.cluster = new Key("ns", "cluster");
        for (HostState next : List.of(HostState.PREPARING, HostState.IN_PROGRESS, HostState.INSTALLED)) {
            host.enter(next);
            for (ServiceCondition c : AgentConditions.of(host)) {
                note(agent, seen, "agents", c);
            }
        }
        List<String> expected = lines("day1-single-node-with-agent.log")
                .filter(l -> l.startsWith("agents ") && !l.startsWith("agents  "))
                .toList();

        assertThat(agent).containsExactlyElementsOf(expected);
    }

    private void run(Requirements requirements, List<HostFacts> hosts) {
        InstallInputs inputs = new InstallInputs(requirements, hosts, false, ClusterChecks.MET);
        ClusterState before;
        do {
            before = state;
            ClusterState next = InstallFlow.next(state, inputs, true);
            if (InstallFlow.isReported(state, next)) {
                report(inputs);
            }
            state = next;
        } while (state != before);
    }

    private void report(InstallInputs inputs) {
        for (ServiceCondition condition : InstallConditionsReport.of(SpecSync.OK, state, inputs)) {
            note(written, last, "agentc", condition);
        }
        value("state", state.word());
        value("pct", Integer.toString(InstallFlow.percent(state, inputs)));
    }

    private static void note(List<String> to, Map<String, String> last, String who, ServiceCondition c) {
        String now = c.status() + " " + c.reason();
        if (!now.equals(last.put(c.type(), now))) {
            to.add(who + " " + c.type() + " " + now + " | " + c.message());
        }
    }

    private void value(String name, String now) {
        if (!now.equals(last.put(name, now))) {
            written.add("agentc    " + name + " " + now);
        }
    }

    private static List<HostFacts> hosts(int count, HostState state, boolean approved, int percent) {
        return java.util.Collections.nCopies(count, new HostFacts("master", state, approved, true, percent));
    }

    private static List<String> withoutPercent(List<String> lines) {
        return lines.stream().filter(l -> !l.contains(" pct ")).toList();
    }

    private static List<String> recorded(String name) throws IOException {
        return lines(name)
                .filter(l -> l.startsWith("agentc") && !l.contains("clusterMetadata"))
                .toList();
    }

    private static Stream<String> lines(String name) throws IOException {
        try (var stream = RecordedSequencesTest.class.getResourceAsStream("/recorded/" + name)) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .map(l -> l.substring(9));
        }
    }
}
