package io.capoa.bootstrap.ignition;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeScriptsTest {

    private static final String METADATA = """
            {"uuid": "c0ffee", "name": "node-1", "metal3-name": "host-1", "local-hostname": "node-1.lab",
             "odd": "a\\nMETADATA_UUID=evil $(touch /tmp/never)", "unicode": "gr\\u00fc\\u00df", "pair": "\\ud83d\\ude00",
             "nested": {"b": [1, "x y"], "c": {}}, "n": -1.5, "yes": true, "no": null}
            """;
    private static final String DRIVE = "/usr/local/bin/configdrive_metadata";
    private static final String LABELS = "/usr/local/bin/kubelet_custom_labels";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    @SuppressWarnings("NullAway.Init")
    HostFiles host;

    @BeforeEach
    void metadataOnTheDrive() {
        host = new HostFiles(folder).metadata(METADATA);
    }

    @Test
    void metadataBecomesOneLineForEachKey_whateverTheValueHolds() {
        host.boot(labels("a=b"));

        assertThat(host.run(DRIVE).exitCode()).isZero();
        assertThat(host.read("/etc/metadata_env").lines())
                .containsExactlyInAnyOrder(
                        "METADATA_UUID=c0ffee",
                        "METADATA_NAME=node-1",
                        "METADATA_METAL3_NAME=host-1",
                        "METADATA_LOCAL_HOSTNAME=node-1.lab",
                        "METADATA_ODD=a METADATA_UUID=evil $(touch /tmp/never)",
                        "METADATA_UNICODE=grüß",
                        "METADATA_PAIR=😀",
                        "METADATA_NESTED={\"b\":[1,\"x y\"],\"c\":{}}",
                        "METADATA_N=-1.5",
                        "METADATA_YES=true",
                        "METADATA_NO=");
    }

    @Test
    void passwordAndRandomSeedOfAConfigDrive_stayOut() {
        host.metadata("""
                        {"uuid": "u", "admin_pass": "secret", "random_seed": "c2VlZA==", "Admin-Pass": "x", "admin_password": "y"}
                        """).boot(labels("a=b"));

        assertThat(host.run(DRIVE).exitCode()).isZero();
        assertThat(host.read("/etc/metadata_env").lines())
                .containsExactlyInAnyOrder("METADATA_UUID=u", "METADATA_ADMIN_PASSWORD=y");
    }

    @ParameterizedTest
    @CsvSource({"'[1]'", "'{\"a\"'", "'{\"a\": }'", "''", "'{\"a\": \"\\u12\"}'"})
    void metadataThatIsNoObject_endsWithAnErrorAndWritesNothing(String json) {
        host.metadata(json).boot(labels("a=b"));

        assertThat(host.run(DRIVE).exitCode()).isEqualTo(1);
        assertThat(host.exists("/etc/metadata_env")).isFalse();
    }

    @Test
    void aHostWithoutAConfigDrive_bootsOn() {
        host = new HostFiles(folder.resolve("bare")).boot(labels("metal3.io/uuid=$METADATA_UUID", "zone=z1"));

        assertThat(host.run(DRIVE).exitCode()).isZero();
        assertThat(host.run(LABELS).exitCode()).isZero();
        assertThat(host.read("/etc/kubernetes/kubelet-env")).isEqualTo("CUSTOM_KUBELET_LABELS=zone=z1\n");
    }

    @ParameterizedTest
    @CsvSource({
        "metal3.io/uuid=$METADATA_UUID, metal3.io/uuid=c0ffee",
        "metal3.io/uuid=${METADATA_UUID}, metal3.io/uuid=c0ffee",
        "'metal3.io/uuid=\"${METADATA_UUID}\"', metal3.io/uuid=c0ffee",
        "role=on-${METADATA_METAL3_NAME}-x, role=on-host-1-x",
        "role=infra, role=infra",
        "role=METADATA_UUID, role=METADATA_UUID",
        "role=, role="
    })
    void everyFormOfALabelReachesTheKubelet(String written, String label) {
        host.boot(labels(written));
        host.run(DRIVE);

        assertThat(host.run(LABELS).exitCode()).isZero();
        assertThat(host.read("/etc/kubernetes/kubelet-env")).isEqualTo("CUSTOM_KUBELET_LABELS=" + label + "\n");
    }

    @Test
    void aLabelWhoseMetadataIsNoLabelValue_isLeftOut_andNothingRuns() {
        host.metadata("{\"uuid\": \"x,y=z\", \"name\": \"$(touch $CAPOA_ROOT/owned)\"}")
                .boot(labels("a=$METADATA_UUID", "b=$METADATA_NAME", "c=d"));
        host.run(DRIVE);

        assertThat(host.run(LABELS).output()).contains("Label a is left out", "Label b is left out");
        assertThat(host.read("/etc/kubernetes/kubelet-env")).isEqualTo("CUSTOM_KUBELET_LABELS=c=d\n");
        assertThat(host.exists("/owned")).isFalse();
    }

    @Test
    void theKubeletsFileIsRewrittenNotAppended_andForeignLinesStay() {
        host.write("/etc/kubernetes/kubelet-env", "OTHER=1\nCUSTOM_KUBELET_LABELS=old=1\n")
                .boot(labels("a=b"));

        host.run(LABELS);
        host.run(LABELS);

        assertThat(host.read("/etc/kubernetes/kubelet-env")).isEqualTo("OTHER=1\nCUSTOM_KUBELET_LABELS=a=b\n");
    }

    @ParameterizedTest
    @CsvSource({
        "metal3://ns/host/machine, metal3://ns/host/machine",
        "openstack://$METADATA_UUID, openstack://c0ffee",
        "${METADATA_UUID}, c0ffee",
        "$METADATA_UUID, c0ffee"
    })
    void everyFormOfAProviderIdReachesTheKubelet(String written, String id) {
        host.boot(providerId(written));
        host.run(DRIVE);

        assertThat(host.run(LABELS).exitCode()).isZero();
        assertThat(host.read("/etc/kubernetes/kubelet-env")).isEqualTo("KUBELET_PROVIDERID=" + id + "\n");
        assertThat(host.read("/run/kubelet-provider-id")).isEqualTo(id + "\n");
    }

    @Test
    void theProviderIdIsAddedToTheKubeletsCommandLine_once() {
        host.boot(providerId("metal3://ns/h%40st/m")).command("systemctl", """
                if [[ $1 == cat ]]; then
                  printf '# /etc/systemd/system/kubelet.service\\n[Service]\\nExecStartPre=/bin/true\\n'
                  printf 'ExecStart=/usr/bin/kubelet \\\\\\n  --config=/x \\\\\\n  --v=2\\n'
                  file="$CAPOA_ROOT/etc/systemd/system/kubelet.service.d/20-provider-id.conf"
                  if [[ -e $file ]]; then
                    printf '\\n# /etc/systemd/system/kubelet.service.d/20-provider-id.conf\\n'; cat "$file"
                  fi
                fi
                """);
        host.run(LABELS);

        assertThat(host.run("/usr/local/bin/inject-provider-id").exitCode()).isZero();
        assertThat(host.run("/usr/local/bin/inject-provider-id").exitCode()).isZero();

        assertThat(host.read("/etc/systemd/system/kubelet.service.d/20-provider-id.conf"))
                .isEqualTo("""
                        [Service]
                        ExecStart=
                        ExecStart=/usr/bin/kubelet    --config=/x    --v=2 --provider-id="metal3://ns/h%%40st/m"
                        """);
        assertThat(host.read("/calls").lines().filter("systemctl daemon-reload"::equals))
                .hasSize(1);
    }

    @Test
    void aKubeletThatHasAProviderId_isLeftAlone() {
        host.boot(providerId("metal3://a/b/c"))
                .command("systemctl", "printf 'ExecStart=/usr/bin/kubelet --provider-id=${KUBELET_PROVIDERID}\\n'");
        host.run(LABELS);

        assertThat(host.run("/usr/local/bin/inject-provider-id").exitCode()).isZero();
        assertThat(host.exists("/etc/systemd/system/kubelet.service.d")).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"$METADATA_NAME", "${METADATA_NAME}", "METADATA_NAME"})
    void theHostnameComesFromTheMetadata(String written) {
        host.command("hostnamectl", "")
                .boot(NodeIgnition.installTime(Specs.of("nodeRegistration: {name: '" + written + "'}"), null));
        host.run(DRIVE);

        assertThat(host.run("/usr/local/bin/set_hostname").exitCode()).isZero();
        assertThat(host.read("/calls")).isEqualTo("hostnamectl set-hostname node-1\n");
    }

    @Test
    void aHostnameThatIsNone_isNotSet() {
        host.command("hostnamectl", "")
                .boot(NodeIgnition.installTime(Specs.of("nodeRegistration: {name: METADATA_ODD}"), null));
        host.run(DRIVE);

        assertThat(host.run("/usr/local/bin/set_hostname").exitCode()).isZero();
        assertThat(host.exists("/calls")).isFalse();
    }

    @Test
    void preBootstrapCommandsRunInOneShell_andMarkThatTheyRan() {
        host.boot(NodeIgnition.installTime(Specs.of("""
                bootstrapCommandSentinelDir: /var/lib/mine//
                preBootstrapCommands: ['x=1', 'echo "it is ${x}" >"$CAPOA_ROOT/said"']
                """), null));

        assertThat(host.run("/usr/local/bin/capoa-pre-bootstrap.sh").exitCode()).isZero();
        assertThat(host.read("/said")).isEqualTo("it is 1\n");
        assertThat(host.exists("/var/lib/mine/pre-bootstrap.done")).isTrue();
    }

    @Test
    void aCommandThatFails_leavesNoMark() {
        host.boot(NodeIgnition.installTime(
                Specs.of("preBootstrapCommands: ['false', 'touch \"$CAPOA_ROOT/said\"']"), null));

        assertThat(host.run("/usr/local/bin/capoa-pre-bootstrap.sh").exitCode()).isNotZero();
        assertThat(host.exists("/said")).isFalse();
        assertThat(host.exists("/var/lib/capoa/pre-bootstrap.done")).isFalse();
    }

    @Test
    void postBootstrapCommandsWaitForApiAndNode_withTheGivenKubeconfig() {
        host.command("hostname", "echo Node-1")
                .command("kubectl", "")
                .command("systemctl", "")
                .boot(NodeIgnition.installTime(Specs.of("""
                        postBootstrapKubeconfigPath: /etc/kube/config
                        postBootstrapCommands: ['touch "$CAPOA_ROOT/said"']
                        """), null));

        assertThat(host.run("/usr/local/bin/capoa-bootstrap-success").exitCode())
                .isEqualTo(1);
        assertThat(host.run("/usr/local/bin/capoa-post-bootstrap.sh").exitCode())
                .isZero();
        assertThat(host.read("/calls"))
                .contains("/etc/kube/config get --raw /readyz", "/etc/kube/config get node node-1");
        assertThat(host.exists("/said")).isTrue();
        assertThat(host.exists("/var/lib/capoa/post-bootstrap.done")).isTrue();
        assertThat(host.run("/usr/local/bin/capoa-bootstrap-success").exitCode())
                .isZero();
        assertThat(host.exists("/run/cluster-api/bootstrap-success.complete")).isTrue();
    }

    @Test
    void theMarkOfSuccess_waitsForAKubeletWhoseFirstStartFails() {
        host.command("systemctl", "[[ $(grep -c 'is-active --quiet kubelet.service' \"$CAPOA_ROOT/calls\") -gt 2 ]]")
                .boot(NodeIgnition.installTime(Specs.of("{}"), null));

        HostFiles.Run run = host.run("/usr/local/bin/capoa-bootstrap-success", Map.of("CAPOA_POLL_SECONDS", "0"));

        assertThat(run.exitCode()).isZero();
        assertThat(run.output().lines()).containsExactly("Waiting for the kubelet", "Waiting for the kubelet");
        assertThat(host.exists("/run/cluster-api/bootstrap-success.complete")).isTrue();
    }

    @Test
    void withoutAKubelet_thereIsNoMarkOfSuccess() {
        host.command("systemctl", "exit 3").boot(NodeIgnition.installTime(Specs.of("{}"), null));

        HostFiles.Run run = host.run(
                "/usr/local/bin/capoa-bootstrap-success", Map.of("CAPOA_WAIT_SECONDS", "0", "CAPOA_POLL_SECONDS", "0"));

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.output()).contains("Gave up waiting for the kubelet");
        assertThat(host.exists("/run/cluster-api/bootstrap-success.complete")).isFalse();
    }

    @Test
    void whenTheApiNeverAnswers_theCommandsDoNotRun() {
        host.command("kubectl", "exit 1")
                .boot(NodeIgnition.installTime(
                        Specs.of("postBootstrapCommands: ['touch \"$CAPOA_ROOT/said\"']"), null));

        HostFiles.Run run = host.run(
                "/usr/local/bin/capoa-post-bootstrap.sh", Map.of("CAPOA_WAIT_SECONDS", "0", "CAPOA_POLL_SECONDS", "0"));

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.output()).contains("Gave up waiting for the API");
        assertThat(host.exists("/said")).isFalse();
    }

    private static String labels(String... labels) {
        String list = String.join(
                ",",
                java.util.Arrays.stream(labels).map(label -> "'" + label + "'").toList());
        return NodeIgnition.installTime(Specs.of("nodeRegistration: {kubeletExtraLabels: [" + list + "]}"), null);
    }

    private static String providerId(String id) {
        return NodeIgnition.installTime(Specs.of("nodeRegistration: {providerID: '" + id + "'}"), null);
    }
}
