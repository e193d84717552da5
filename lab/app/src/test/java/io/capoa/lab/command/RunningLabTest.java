package io.capoa.lab.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.lab.cluster.Binaries;
import io.capoa.lab.cluster.ProjectRoot;
import io.capoa.lab.cluster.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which programs the lab gets before it starts, so that none is made later under another name. */
class RunningLabTest {

    @TempDir
    private Path folder;

    @Test
    void kubectl_isAmongThem_unlessOneIsOnThePath() throws IOException {
        assertThat(RunningLab.programs(binaries(), false))
                .containsExactlyInAnyOrder(Tool.ETCD, Tool.KUBE_APISERVER, Tool.KUBE_CONTROLLER_MANAGER, Tool.KUBECTL);

        Path kubectl = Files.writeString(folder.resolve("kubectl"), """
            #!/bin/sh
            echo '{"clientVersion": {"major": "1", "minor": "36"}}'
            """);
        Files.setPosixFilePermissions(kubectl, PosixFilePermissions.fromString("rwxr-xr-x"));
        assertThat(RunningLab.programs(binaries(), false)).isEqualTo(Tool.CONTROL_PLANE);
    }

    @Test
    void withTheRealCore_itsProgramsAreAmongThem() {
        Set<Tool> programs = RunningLab.programs(binaries(), true);

        assertThat(programs).containsAll(Tool.CONTROL_PLANE).contains(Tool.CLUSTER_API_CORE, Tool.CLUSTERCTL);
    }

    private Binaries binaries() {
        return Binaries.of(
                ProjectRoot.find(),
                Map.of(
                        "PATH",
                        folder.toString(),
                        "XDG_CACHE_HOME",
                        folder.resolve("cache").toString()),
                line -> {});
    }
}
