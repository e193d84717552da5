package io.capoa.lab.pods;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Translation of ports and paths in arguments. */
class TranslationTest {

    private static final List<String> ARGUMENTS = List.of(
            "--leader-elect",
            "--diagnostics-address=:8443",
            "--health-addr=0.0.0.0:9440",
            "--webhook-port=9443",
            "--webhook-cert-dir=/tmp/k8s/certs",
            "--metrics-bind-address",
            ":8080",
            "-v=4",
            "--files=/tmp/a,/tmp/k8s/certs/ca.crt,/tmpfile,http://other.example:8443/tmp",
            "--profiler-address=0");

    @Test
    void portsAreFound_inAddressesAndInPortFlags() {
        assertThat(Translation.portsIn(ARGUMENTS)).containsExactly(8080, 8443, 9440, 9443);
    }

    @Test
    void portsAndPaths_becomeThoseOfThisMachine_andNothingElseChanges() {
        Translation translation = new Translation(
                Map.of(8443, 1, 9440, 2, 9443, 3, 8080, 4),
                Map.of("/tmp", Path.of("/tmp/lab/volumes/tmp"), "/tmp/k8s/certs", Path.of("/tmp/lab/volumes/certs")));

        assertThat(translation.arguments(ARGUMENTS))
                .containsExactly(
                        "--leader-elect",
                        "--diagnostics-address=127.0.0.1:1",
                        "--health-addr=127.0.0.1:2",
                        "--webhook-port=3",
                        "--webhook-cert-dir=/tmp/lab/volumes/certs",
                        "--metrics-bind-address",
                        "127.0.0.1:4",
                        "-v=4",
                        "--files=/tmp/lab/volumes/tmp/a,/tmp/lab/volumes/certs/ca.crt,/tmpfile,http://other.example:8443/tmp",
                        "--profiler-address=0");
    }

    @Test
    void defaults_standBehindTheArguments_unlessTheseSetThem() {
        assertThat(Translation.withDefaults(
                        List.of("-webhook-port=1", "--metrics-bind-address", ":2"),
                        List.of("--webhook-port=9443", "--metrics-bind-address=:8080", "--webhook-cert-dir=/certs")))
                .containsExactly("-webhook-port=1", "--metrics-bind-address", ":2", "--webhook-cert-dir=/certs");
    }

    @Test
    void images_areTheirRepository_whateverRegistryAndTag() {
        Program program = Program.of("capoa/bootstrap-provider", List.of("true"));

        assertThat(List.of(
                        "capoa/bootstrap-provider",
                        "localhost/capoa/bootstrap-provider:dev",
                        "registry.example:5000/a/capoa/bootstrap-provider:v1@sha256:0123"))
                .allMatch(program::standsFor);
        assertThat(List.of("bootstrap-provider", "other-capoa/bootstrap-provider", "capoa/bootstrap-provider-x"))
                .noneMatch(program::standsFor);
    }
}
