package io.capoa.lab.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.lab.cluster.ProjectRoot;
import io.capoa.lab.page.Detail.Wait;
import io.capoa.lab.page.PageState.Group;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is trouble, and the way from an object to what it waits for. */
class ObjectTreeTest {

    @Test
    void troubleFarBelow_comesBeforeWhatIsWaitedForNearby() {
        ObjectTree waiting = ObjectTree.of(config("a", "WaitingForAgent"), List.of());
        ObjectTree broken = ObjectTree.of(config("b", "InstallationDiskNotFound"), List.of());
        ObjectTree root = ObjectTree.of(config("root", "WaitingForMachine"), List.of(waiting, broken));

        assertThat(root.group()).isEqualTo(Group.TROUBLE);
        assertThat(root.waits()).extracting(wait -> wait.object().name()).containsExactly("root", "b");
    }

    @Test
    void whatWaitsBelowTrouble_isNotTheCause() {
        ObjectTree waiting = ObjectTree.of(config("a", "WaitingForAgent"), List.of());
        ObjectTree root = ObjectTree.of(config("root", "PullSecretNotFound"), List.of(waiting));

        assertThat(root.waits()).extracting(Wait::reason).containsExactly("PullSecretNotFound");
    }

    @Test
    void aFailureThatOnlyTheServiceReports_isTrouble() {
        AgentClusterInstall install = Serialization.unmarshal("""
                apiVersion: extensions.hive.openshift.io/v1beta1
                kind: AgentClusterInstall
                metadata: {name: c, namespace: n}
                status: {debugInfo: {state: error, stateInfo: cluster has hosts in error}}
                """, AgentClusterInstall.class);

        assertThat(ObjectTree.of(install, List.of()).waits())
                .extracting(Wait::group, Wait::message)
                .containsExactly(tuple(Group.TROUBLE, "cluster has hosts in error"));
    }

    /** The reference of conditions says which reasons become Warnings, and which belong to health. */
    @Test
    void reasonsThatBecomeWarnings_areTrouble_andNormalOnesAreNot() throws IOException {
        List<?> kinds = Serialization.unmarshal(
                Files.readString(
                        ProjectRoot.find().resolve("api/src/test/resources/io/capoa/api/reference/conditions.yaml")),
                List.class);
        int warnings = 0;
        for (Object kind : kinds) {
            if (!((Map<?, ?>) kind).containsKey("conditions")) {
                continue;
            }
            for (Map.Entry<?, ?> reason : ((Map<?, ?>) ((Map<?, ?>) kind).get("reasons")).entrySet()) {
                Map<?, ?> about = (Map<?, ?>) reason.getValue();
                boolean warning = "Warning".equals(about.get("event"));
                boolean normal = Boolean.TRUE.equals(about.get("normal"));
                if ((warning || normal)
                        && !String.valueOf(reason.getKey()).equals("Healthy")
                        && !String.valueOf(reason.getKey()).startsWith("Not")) {
                    assertThat(ObjectConditions.isPatience("Type", (String) reason.getKey()))
                            .as("%s", reason.getKey())
                            .isEqualTo(normal);
                    warnings += warning ? 1 : 0;
                }
            }
        }
        assertThat(warnings).isGreaterThan(50);
    }

    private static HasMetadata config(String name, String reason) {
        return Serialization.unmarshal("""
                apiVersion: bootstrap.cluster.x-k8s.io/v1beta1
                kind: OpenshiftAssistedConfig
                metadata: {name: %s, namespace: n}
                spec: {}
                status:
                  conditions:
                  - {type: Ready, status: "False", reason: %2$s, message: a, lastTransitionTime: "2026-01-01T10:00:00Z"}
                  - {type: DataSecretAvailable, status: "False", reason: %2$s, message: b, lastTransitionTime: "2026-01-01T10:00:00Z"}
                """.formatted(name, reason), OpenshiftAssistedConfig.class);
    }
}
