package io.capoa.controlplane;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.controlplane.testing.LinterManifests;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** As it ships, but for the jar: the main class with a command line. */
class ControlPlaneProviderTest {

    @Test
    void theProvidersMainClass_runsTheLinter_withoutAManager() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        "io.capoa.controlplane.ControlPlaneProvider",
                        "lint-ccm",
                        LinterManifests.file("broken/bootstrap-pod").toString())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).as(output).isEqualTo(1);
        assertThat(output)
                .startsWith(
                        "BLOCKING Pod openshift-cloud-controller-manager/cloud-controller-manager-bootstrap, kind\n")
                .endsWith("1 blocking, 0 warnings\n");
    }
}
