package io.capoa.lab.provider;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.MissingNode;
import io.capoa.lab.cluster.AuditEntry;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which refused writes count as conflicts. */
class ConflictsTest {

    private static final String MANAGER = Provider.BOOTSTRAP.user();
    private static final String SERVICE = "assisted-service";

    @Test
    void aFencedDeletion_thatTheServiceOvertakesAfterTheLook_isNoConflict() {
        assertThat(Conflicts.of(List.of(
                        entry(MANAGER, "list", 1, 200),
                        entry(SERVICE, "patch", 2, 200),
                        entry(MANAGER, "delete", 3, 409))))
                .isEmpty();
    }

    @Test
    void aWriteThatIsOutdatedAtTheLookAlready_orSentWithoutOne_isAConflict() {
        AuditEntry look = entry(MANAGER, "list", 2, 200);
        AuditEntry refused = entry(MANAGER, "delete", 4, 409);

        assertThat(Conflicts.of(List.of(entry(SERVICE, "patch", 1, 200), look, refused)))
                .containsExactly(MANAGER + " delete agents/a");
        assertThat(Conflicts.of(List.of(entry(SERVICE, "patch", 3, 200), refused)))
                .hasSize(1);
        assertThat(Conflicts.of(List.of(look, entry(SERVICE, "patch", 3, 409), refused)))
                .hasSize(1);
        assertThat(Conflicts.of(List.of(look, entry(MANAGER, "patch", 3, 200), refused)))
                .hasSize(1);
    }

    private static AuditEntry entry(String user, String verb, int second, int code) {
        return new AuditEntry(
                user,
                "",
                verb,
                new AuditEntry.Target("agent-install.openshift.io", "agents", "", "demo", "a"),
                "",
                code,
                Instant.EPOCH.plusSeconds(second),
                Instant.EPOCH.plusSeconds(second).plusMillis(100),
                MissingNode.getInstance());
    }
}
