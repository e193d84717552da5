package io.capoa.runtime.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.capoa.runtime.logging.LogFormat;
import io.capoa.runtime.logging.LogLevel;
import io.capoa.runtime.options.BindAddress;
import io.capoa.runtime.options.ManagerOptions;
import io.capoa.runtime.options.OptionsWithoutEffect;
import io.capoa.runtime.options.WatchScope;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class ManagerCommandTest {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int execute(String... args) {
        var description = new ManagerDescription("bootstrap", "lease", "namespace");
        return new ManagerCommand(
                        description,
                        registrar -> {
                            throw new IllegalStateException("must not get this far");
                        },
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8))
                .execute(args);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--nope                                  | Unknown option: '--nope'",
                "--metrics-bind-address=8080             | metrics-bind-address': takes \":PORT\"",
                "--health-probe-bind-address=:99999      | health-probe-bind-address': takes \":PORT\"",
                "--leader-elect=maybe                    | leader-elect': takes true or false, not \"maybe\"",
                "--webhook-port=x                        | webhook-port': takes a whole number, not \"x\"",
                "--webhook-port=70000                    | --webhook-port takes a port from 0 to 65535, not 70000",
                "--feature-gates=Flying=true             | feature-gates': there is no feature gate \"Flying\"",
                "--feature-gates=Flying                  | feature-gates': takes NAME=true or NAME=false, joined by",
                "--feature-gates=AllAlpha=on             | feature-gates': takes NAME=true or NAME=false, joined by",
                "--max-concurrent-reconciles=0           | --max-concurrent-reconciles takes a number from 1 on",
                "--sync-period=soon                      | sync-period': takes a positive duration such as 90s",
                "--log-level=loud                        | log-level': takes error, warn, info, debug or trace",
                "--log-format=xml                        | log-format': takes json or text",
                "--v=-1                                  | --v takes a number from 0 on, not -1",
                "--leader-elect-renew-deadline=20s       | must be shorter than --leader-elect-lease-duration",
                "--leader-elect-retry-period=12s         | must be shorter than --leader-elect-renew-deadline",
                "--leader-elect-namespace=my.space       | --leader-elect-namespace takes names of namespaces",
                "--namespace=a,My                        | --namespace takes names of namespaces, which \"My\" is not",
                "--watch-filter=a=b                      | --watch-filter takes the value of a label, which \"a=b\" is not",
                "--kubeconfig                            | --kubeconfig",
                "stray                                   | stray",
            })
    void whenTheCommandLineIsWrong_namesTheFlagAndWhatItTakes(String argument, String sentence) {
        assertThat(execute(argument)).isEqualTo(2);
        assertThat(err.toString(StandardCharsets.UTF_8)).contains(sentence).contains("--help");
        assertThat(out.size()).isZero();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--metrics-bind-address=ADDRESS",
                "Default: :8443.",
                "--metrics-secure[=BOOL]",
                "--metrics-cert-dir=DIR",
                "Default: :8081.",
                "--leader-elect[=BOOL]",
                "Default: 9443.",
                "/tmp/k8s-webhook-server/serving-certs",
                "--watch-filter=VALUE",
                "--feature-gates=NAME=BOOL",
                "Exit code: 0",
            })
    void help_explainsEveryFlagWithItsDefault(String part) {
        assertThat(execute("--help")).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).contains(part);
    }

    @Test
    void version_isWhatTheUserAgentSays() {
        assertThat(execute("--version")).isZero();
        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("capoa-bootstrap/dev" + System.lineSeparator());
    }

    @Test
    void flagsAreUnderstood_withEqualsSignOrBlank() {
        var options = new ManagerOptions();

        new CommandLine(options)
                .parseArgs(
                        "--leader-elect=true",
                        "--health-probe-bind-address",
                        "127.0.0.1:9440",
                        "--metrics-bind-address=0",
                        "--namespace",
                        "",
                        "--watch-filter=blue",
                        "-v=6",
                        "--webhook-port",
                        "0");

        assertThat(options.leaderElect()).isTrue();
        assertThat(options.healthProbeBindAddress()).isEqualTo(new BindAddress("127.0.0.1", 9440));
        assertThat(options.metrics().address().isOff()).isTrue();
        assertThat(options.scope().namespaces()).isEmpty();
        assertThat(options.scope().labelSelector()).contains("cluster.x-k8s.io/watch-filter=blue");
        assertThat(options.effectiveLogLevel()).isEqualTo(LogLevel.DEBUG);
        assertThat(options.webhookAddress().isOff()).isTrue();
    }

    @Test
    void withoutFlags_theGoProvidersDefaultsHold_butMetricsAreSecured() {
        var options = new ManagerOptions();

        new CommandLine(options).parseArgs();

        assertThat(options.metrics().address()).hasToString(":8443");
        assertThat(options.metrics().secure()).isTrue();
        assertThat(options.metrics().certDir()).isEmpty();
        assertThat(options.healthProbeBindAddress()).hasToString(":8081");
        assertThat(options.leaderElect()).isFalse();
        assertThat(options.effectiveLogLevel()).isEqualTo(LogLevel.INFO);
        assertThat(options.scope()).isEqualTo(WatchScope.EVERYTHING);
        assertThat(options.kubeconfigFile()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "AllAlpha=true", "AllAlpha=false,AllBeta=true"})
    void featureGates_thatEveryComponentOfKubernetesKnows_areTaken(String gates) {
        var commandLine = new CommandLine(new ManagerOptions());

        assertThatCode(() -> commandLine.parseArgs("--feature-gates", gates)).doesNotThrowAnyException();
    }

    @Test
    void theGoProvidersLogFlags_areAccepted() {
        var options = new ManagerOptions();

        new CommandLine(options)
                .parseArgs(
                        "--logging-format=text",
                        "--log-flush-frequency=5s",
                        "--vmodule=controller=6,webhook*=9",
                        "--log-text-split-stream",
                        "--log-text-info-buffer-size=512Ki",
                        "--log-json-split-stream=false",
                        "--log-json-info-buffer-size=0",
                        "--v=3");

        assertThat(options.logFormat()).isEqualTo(LogFormat.TEXT);
        assertThat(options.effectiveLogLevel()).isEqualTo(LogLevel.INFO);
    }

    @Test
    void leaderElect_mayStandAlone() {
        var options = new ManagerOptions();

        new CommandLine(options).parseArgs("--leader-elect", "--log-level=warn");

        assertThat(options.leaderElect()).isTrue();
        assertThat(options.effectiveLogLevel()).isEqualTo(LogLevel.WARN);
    }

    @Test
    void theVerbosityThatATool_addsToTheDeploymentsLevel_counts() {
        var options = new ManagerOptions();

        new CommandLine(options).parseArgs("--log-level=info", "--v=9");

        assertThat(options.effectiveLogLevel()).isEqualTo(LogLevel.TRACE);
    }

    /** What the Cluster API operator appends for a spec.manager with every field, behind the arguments of a Deployment. */
    @Test
    void theOperatorsFlags_overrideTheDeployments() {
        var options = new ManagerOptions();

        commandLine(options)
                .parseArgs(
                        "--leader-elect",
                        "--log-level=info",
                        "--max-concurrent-reconciles=50",
                        "--webhook-port=9443",
                        "--webhook-cert-dir=/tmp/k8s-webhook-server/serving-certs",
                        "--openshiftassistedconfig-concurrency=7",
                        "--namespace=clusters",
                        "--health-addr=:9440",
                        "--metrics-bind-addr=localhost:8080",
                        "--diagnostics-address=localhost:8443",
                        "--webhook-host=127.0.0.1",
                        "--profiler-address=localhost:6060",
                        "--leader-elect=true",
                        "--leader-election-id=capoa/lease",
                        "--leader-elect-lease-duration=60s",
                        "--insecure-diagnostics=true",
                        "--webhook-port=9444",
                        "--sync-period=600s",
                        "--v=5");

        assertThat(options.maxConcurrentReconciles()).isEqualTo(7);
        assertThat(options.scope().namespaces()).containsExactly("clusters");
        assertThat(options.healthProbeBindAddress()).isEqualTo(new BindAddress("", 9440));
        assertThat(options.metrics().address()).isEqualTo(new BindAddress("localhost", 8443));
        assertThat(options.metrics().secure()).isFalse();
        assertThat(options.webhookAddress()).isEqualTo(new BindAddress("127.0.0.1", 9444));
        assertThat(options.leaseDuration()).isEqualTo(Duration.ofMinutes(1));
        assertThat(options.syncPeriod()).isEqualTo(Duration.ofMinutes(10));
        assertThat(options.effectiveLogLevel()).isEqualTo(LogLevel.INFO);
    }

    @Test
    void flagsOfClusterApi_thatHaveNoEffect_areTaken_andNamed() {
        var commandLine = commandLine(new ManagerOptions());

        var parsed = commandLine.parseArgs(
                "--kube-api-qps=20",
                "--kube-api-burst=30",
                "--profiler-address=localhost:6060",
                "--contention-profiling",
                "--leader-elect");

        assertThat(OptionsWithoutEffect.in(parsed))
                .containsExactlyInAnyOrder(
                        "--kube-api-qps", "--kube-api-burst", "--profiler-address", "--contention-profiling");
    }

    private static CommandLine commandLine(ManagerOptions options) {
        return ManagerCommand.commandLine(new ManagerDescription("bootstrap", "lease", "namespace"), options);
    }
}
