package io.capoa.lab.metal3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.capoa.api.contract.BareMetalHost;
import io.capoa.lab.cluster.ChildProcess;
import io.capoa.lab.cluster.KnownUsers;
import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** How Metal3's programs are started; executables that write down what they are given stand in for them. */
@ExtendWith(SharedCluster.class)
class Metal3ProgramsTest {

    private static final String RECORDER = """
            #!/bin/sh
            printf '%s\\n' "$@" > "$0.arguments.new"
            cp "$KUBECONFIG" "$0.kubeconfig"
            mv "$0.arguments.new" "$0.arguments"
            exec sleep 1000
            """;

    @TempDir
    private Path folder;

    @Test
    void theRealPrograms_takeAHostThroughItsStates(TestCluster cluster) {
        String given = System.getProperty("capoa.metal3", "");
        assumeTrue(!given.isBlank(), Metal3ProgramsTest::skipped);
        String namespace = "metal3-programs";
        cluster.admin()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(namespace)
                        .endMetadata()
                        .build())
                .create();
        new Rack(cluster.admin()).fill(namespace, 1);

        try (Metal3Programs programs =
                Metal3Programs.start(Path.of(given), cluster, folder.resolve("logs"), exit -> {})) {
            await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
                assertThat(programs.running()).allMatch(ChildProcess::isAlive);
                assertThat(cluster.admin()
                                .resources(BareMetalHost.class)
                                .inNamespace(namespace)
                                .withName("host-0")
                                .require())
                        .satisfies(host -> assertThat(Metal3.state(host)).isEqualTo("available"));
            });
        }
    }

    private static String skipped() {
        String reason = "there are no executables of CAPM3 and baremetal-operator (their modules cannot be fetched"
                + " everywhere): name their folder with -Dcapoa.metal3=DIR, and -Dcapoa.crds=DIR for their kinds";
        System.err.println("SKIPPED: Metal3's own programs, because " + reason);
        return "skipped because " + reason;
    }

    @Test
    void bothGetTheFlagsThatTheyNeedOutsideOfACluster_andTheUserMetal3(TestCluster cluster) throws IOException {
        for (String name : Metal3Programs.EXECUTABLES) {
            Path file = Files.writeString(folder.resolve(name), RECORDER);
            var unused = Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        }

        try (Metal3Programs programs = Metal3Programs.start(folder, cluster, folder.resolve("logs"), exit -> {})) {
            assertThat(programs.running()).hasSize(2);
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> Metal3Programs.EXECUTABLES.stream()
                            .allMatch(name -> Files.exists(folder.resolve(name + ".arguments"))));
            assertThat(arguments(Metal3Programs.CAPM3))
                    .contains("--webhook-port=0", "--insecure-diagnostics", "--leader-elect=false")
                    .anyMatch(argument -> argument.startsWith("--diagnostics-address=127.0.0.1:"))
                    .anyMatch(argument -> argument.startsWith("--health-addr=127.0.0.1:"));
            assertThat(arguments(Metal3Programs.OPERATOR))
                    .contains("-demo-mode", "-webhook-port=0")
                    .anyMatch(argument -> argument.startsWith("-metrics-addr=127.0.0.1:"))
                    .anyMatch(argument -> argument.startsWith("-health-addr=127.0.0.1:"));
            assertThat(folder.resolve(Metal3Programs.OPERATOR + ".kubeconfig"))
                    .hasSameTextualContentAs(cluster.kubeconfigOf(KnownUsers.METAL3));
        }
    }

    private List<String> arguments(String name) throws IOException {
        return Files.readAllLines(folder.resolve(name + ".arguments"));
    }
}
