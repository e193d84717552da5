package io.capoa.lab.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.capoa.lab.cluster.AuditEntry;
import io.capoa.lab.cluster.AuditLog;
import io.capoa.lab.cluster.KnownUsers;
import io.capoa.lab.provider.Provider;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * assisted-service updates the whole AgentClusterInstall and drops zero values: this triggers neither writes nor
 * messages.
 */
@Tag("full")
@Tag("whole")
@SideBySide
@ExtendWith(WholeLab.Shared.class)
class RewrittenInstallTest {

    @Test
    void whatTheServiceDrops_isNeitherWrittenAgain_norReportedAsAnEdit(WholeLab lab) {
        assumeTrue(lab.cluster().auditLog().isPresent(), "this kind of cluster keeps no audit log that tests can read");
        AuditLog audit = lab.cluster().auditLog().orElseThrow();
        String namespace = lab.namespace(3);
        AuditLog.Mark begin = audit.mark();
        lab.apply(namespace, WholeLab::withoutWorkers);
        lab.awaitReady(namespace);

        List<AuditEntry> log = audit.since(begin);
        assertThat(writes(log, namespace, KnownUsers.ASSISTED_SERVICE, "agentclusterinstalls", ""))
                .as("finalizer, and metadata twice")
                .hasSizeGreaterThanOrEqualTo(3);
        assertThat(writes(log, namespace, Provider.CONTROL_PLANE.user(), "agentclusterinstalls", ""))
                .hasSize(1);
        assertThat(writes(log, namespace, Provider.CONTROL_PLANE.user(), "openshiftassistedcontrolplanes", "status"))
                .isNotEmpty()
                .noneMatch(
                        write -> write.object().toString().contains("without changes that were made after its start"));
    }

    private static List<AuditEntry> writes(
            List<AuditEntry> log, String namespace, String user, String resource, String subresource) {
        return log.stream()
                .filter(entry -> entry.isWrite()
                        && entry.succeeded()
                        && entry.user().equals(user)
                        && entry.namespace().equals(namespace)
                        && entry.resource().equals(resource)
                        && entry.subresource().equals(subresource))
                .toList();
    }
}
