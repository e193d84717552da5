package io.capoa.lab.endurance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.capoa.lab.cluster.AuditEntry;
import io.capoa.lab.endurance.Operation.Change;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Histories of one namespace, with a second between their requests. */
class InvariantsTest {

    private static final Instant BEGIN = Instant.parse("2026-01-02T03:04:00Z");
    private static final String MASTER = ",\"labels\":{\"cluster.x-k8s.io/control-plane\":\"\"}";

    private final Invariants invariants = new Invariants(Set.of("provider"));
    private int seconds;

    @BeforeEach
    void oneLeads() throws Exception {
        write("first", "create", "leases", "lease", "");
        write("first", "patch", "openshiftassistedcontrolplanes", "c", "", "\"spec\":{\"replicas\":3}");
    }

    @Test
    void anInstallationAndAReplacement_breakNothing_andAreCounted() throws Exception {
        for (String name : new String[] {"a", "b", "c", "d"}) {
            write("first", "create", "machines", name, "\"uid\":\"" + name + "\"" + MASTER);
        }
        write("core", "create", "machines", "w", "\"uid\":\"w\"");
        write("first", "delete", "machines", "a", "");
        write("core", "patch", "machines", "a", "\"deletionTimestamp\":\"now\",\"finalizers\":[\"f\"]");
        write("core", "patch", "machines", "a", "\"deletionTimestamp\":\"now\"");

        assertThat(invariants.findings()).isEmpty();
        assertThat(invariants.machines("n")).isEqualTo(new Change(4, 1, 1, 0));
        assertThat(invariants.machines("n").minus(new Change(3, 0, 1, 0))).isEqualTo(new Change(1, 1, 0, 0));
        assertThat(invariants.writes("provider")).isEqualTo(6);
    }

    @Test
    void aFifthMasterOfThree_isOneTooMany() throws Exception {
        for (String name : new String[] {"a", "b", "c", "d", "e"}) {
            write("first", "create", "machines", name, "\"uid\":\"" + name + "\"" + MASTER);
        }

        assertFound("nothing is made twice", "machines n/e: 5 masters where 3 are wanted");
    }

    @Test
    void anObjectThatIsMadeAgain_isFound_withItsHistory() throws Exception {
        write("first", "create", "infraenvs", "a", "\"uid\":\"1\"");
        write("first", "delete", "infraenvs", "a", "");
        write("first", "create", "infraenvs", "a", "\"uid\":\"2\"");

        assertFound("nothing is made twice", "infraenvs n/a: UID 2 after 1");
        assertThat(invariants.findings().getFirst().history()).hasSize(3);
    }

    @Test
    void aSecondInstallOfACluster_isFound_whateverItsName() throws Exception {
        write("first", "create", "agentclusterinstalls", "a", "\"uid\":\"1\"");
        write("first", "create", "agentclusterinstalls", "b", "\"uid\":\"2\"");

        assertFound("nothing is made twice", "agentclusterinstalls n/b: UID 2 after 1");
    }

    @Test
    void twoMastersThatGoAtOnce_areTwoOperations_butNotAtTheEndOfTheCluster() throws Exception {
        write("first", "create", "machines", "a", "\"uid\":\"a\"" + MASTER);
        write("first", "create", "machines", "b", "\"uid\":\"b\"" + MASTER);
        write("first", "create", "machines", "c", "\"uid\":\"c\"" + MASTER);
        write("first", "delete", "machines", "a", "");
        write("first", "delete", "machines", "b", "");
        assertFound("one operation at a time", "machines n/b: 2 masters are being deleted");

        write("core", "delete", "clusters", "c", "");
        write("first", "delete", "machines", "c", "");
        assertThat(invariants.findings()).hasSize(1);
    }

    @Test
    void aDeposedLeader_mustNotWrite_butAStandbyMayReview() throws Exception {
        write("second", "create", "tokenreviews", "", "");
        assertThat(invariants.findings()).isEmpty();

        write("second", "patch", "leases", "lease", "");
        write("first", "patch", "infraenvs", "a", "\"uid\":\"1\"");
        assertFound("only the leader writes", "infraenvs n/a: pod first wrote at ");
    }

    @Test
    void refusedRequestsAndDryRuns_areNothing() throws Exception {
        accept(entry("first", "create", "machines", "a", 409, "/x", "{}"));
        accept(entry("first", "create", "machines", "a", 201, "/x?dryRun=All", "{}"));

        assertThat(invariants.machines("n")).isEqualTo(new Change(0, 0, 0, 0));
        assertThat(invariants.history("machines", "n", "a")).isEmpty();
    }

    private void assertFound(String rule, String what) {
        assertThat(invariants.findings()).singleElement().satisfies(finding -> {
            assertThat(finding.rule()).isEqualTo(rule);
            assertThat(finding.what()).startsWith(what);
        });
    }

    /** By a pod of the provider, or by Cluster API. */
    private void write(String pod, String verb, String resource, String name, String metadata) throws Exception {
        write(pod, verb, resource, name, metadata, "\"kind\":\"Any\"");
    }

    private void write(String pod, String verb, String resource, String name, String metadata, String more)
            throws Exception {
        accept(entry(
                pod,
                verb,
                resource,
                name,
                verb.equals("create") ? 201 : 200,
                "/x",
                "{\"metadata\":{" + metadata + "}," + more + "}"));
    }

    private void accept(AuditEntry entry) {
        invariants.accept(entry);
    }

    private AuditEntry entry(String pod, String verb, String resource, String name, int code, String uri, String object)
            throws JsonProcessingException {
        JsonNode json = new ObjectMapper().readTree(object);
        boolean core = pod.equals("core");
        seconds += 2;
        return new AuditEntry(
                core ? "core" : "provider",
                core ? "" : pod,
                verb,
                new AuditEntry.Target("", resource, "", "n", name),
                uri,
                code,
                BEGIN.plusSeconds(seconds),
                BEGIN.plusSeconds(seconds + 1L),
                json);
    }
}
