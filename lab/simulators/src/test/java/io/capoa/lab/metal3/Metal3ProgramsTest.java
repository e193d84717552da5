package io.capoa.lab.metal3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.Fields;
import io.capoa.lab.cluster.ChildProcess;
import io.capoa.lab.cluster.KnownUsers;
import io.capoa.lab.cluster.ManagementCluster;
import io.capoa.lab.cluster.ManifestFiles;
import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Start of Metal3's programs, replaced by executables that record their arguments. */
@Tag("full")
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
        // With the kinds that only they use.
        ManagementCluster.on(cluster).prepare();
        String namespace = "metal3-programs";
        cluster.admin()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(namespace)
                        .endMetadata()
                        .build())
                .create();
        new Rack(cluster.admin()).fillWithoutInspection(namespace, 1);

        try (Metal3Programs programs =
                Metal3Programs.start(Path.of(given), cluster, folder.resolve("logs"), exit -> {})) {
            await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
                assertThat(programs.running()).allMatch(ChildProcess::isAlive);
                assertThat(cluster.admin()
                                .resources(BareMetalHost.class)
                                .inNamespace(namespace)
                                .withName("host-0")
                                .require())
                        .satisfies(host -> {
                            assertThat(Metal3.state(host)).isEqualTo("available");
                            assertThat(Fields.integer(host, "status", "hardware", "cpu", "count"))
                                    .isEqualTo(16);
                        });
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
            executable(name, RECORDER);
        }

        try (Metal3Programs programs = Metal3Programs.start(folder, cluster, folder.resolve("logs"), exit -> {})) {
            assertThat(programs.running()).hasSize(2);
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> Metal3Programs.EXECUTABLES.stream()
                            .allMatch(name -> Files.exists(folder.resolve(name + ".arguments"))));
            assertThat(arguments(Metal3Programs.CAPM3))
                    .contains("--insecure-diagnostics", "--leader-elect=false")
                    .noneMatch(argument -> argument.equals("--webhook-port=0"))
                    .anyMatch(argument -> argument.matches("--webhook-port=\\d+"))
                    .anyMatch(argument -> argument.startsWith("--webhook-cert-dir="))
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

    @Test
    void anOperatorWithPlugins_getsThatOfTheDemonstration(TestCluster cluster) throws IOException {
        executable(Metal3Programs.CAPM3, RECORDER);
        executable(Metal3Programs.OPERATOR, """
            #!/bin/sh
            printf '%s\\n' "$@" "$PROVISIONER_PLUGIN_DIR" > "$0.arguments.new"
            mv "$0.arguments.new" "$0.arguments"
            exec sleep 1000
            """);
        Files.writeString(folder.resolve(Metal3Programs.DEMO_PLUGIN), "");

        try (Metal3Programs programs = Metal3Programs.start(folder, cluster, folder.resolve("logs"), exit -> {})) {
            assertThat(programs.running()).hasSize(2);
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> Files.exists(folder.resolve(Metal3Programs.OPERATOR + ".arguments")));
            assertThat(arguments(Metal3Programs.OPERATOR))
                    .contains("-provisioner=demo", folder.toString())
                    .doesNotContain("-demo-mode");
        }
    }

    @Test
    void withAProgramThatServesWebhooksAlways_itStarts_andTheApiServerCallsIt(TestCluster cluster) throws IOException {
        executable(Metal3Programs.CAPM3, """
            #!/bin/sh
            exec "%s" -cp "%s" io.capoa.lab.metal3.WebhookStandIn "$@"
            """.formatted(
                Path.of(System.getProperty("java.home"), "bin", "java"), System.getProperty("java.class.path")));
        executable(Metal3Programs.OPERATOR, RECORDER);
        String namespace = "capm3-webhooks";
        Files.writeString(folder.resolve("components.yaml"), """
            apiVersion: admissionregistration.k8s.io/v1
            kind: ValidatingWebhookConfiguration
            metadata: {name: capm3-validating-webhook-configuration}
            webhooks:
            - name: validation.metal3machinetemplate.infrastructure.cluster.x-k8s.io
              admissionReviewVersions: [v1]
              sideEffects: None
              failurePolicy: Fail
              namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: %s}}
              clientConfig:
                service: {name: capm3-webhook-service, namespace: capm3-system, path: /validate}
              rules:
              - apiGroups: [infrastructure.cluster.x-k8s.io]
                apiVersions: [v1beta2]
                operations: [CREATE]
                resources: [metal3machinetemplates]
            """.formatted(namespace));
        var made = cluster.admin()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(namespace)
                        .endMetadata()
                        .build())
                .create();
        assertThat(made.getMetadata().getName()).isEqualTo(namespace);
        AtomicReference<ChildProcess.Exit> died = new AtomicReference<>();

        try (Metal3Programs programs = Metal3Programs.start(folder, cluster, folder.resolve("logs"), died::set)) {
            await().atMost(Duration.ofSeconds(60)).ignoreExceptions().untilAsserted(() -> {
                cluster.admin().resource(template(namespace, "taken")).create();
                assertThat(programs.running()).allMatch(ChildProcess::isAlive);
            });
            // Until the API server knows the webhook, it accepts the object.
            // Afterwards it refuses it, although it exists.
            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThatExceptionOfType(KubernetesClientException.class)
                            .isThrownBy(() -> cluster.admin()
                                    .resource(template(namespace, "refused"))
                                    .create())
                            .withMessageContaining("refused by the stand-in"));
            assertThat(died).hasNullValue();
        }
        assertThat(cluster.admin()
                        .admissionRegistration()
                        .v1()
                        .validatingWebhookConfigurations()
                        .withName("capm3-validating-webhook-configuration")
                        .get())
                .isNull();
    }

    private static GenericKubernetesResource template(String namespace, String name) {
        return ManifestFiles.parse("""
            apiVersion: infrastructure.cluster.x-k8s.io/v1beta2
            kind: Metal3MachineTemplate
            metadata: {name: %s, namespace: %s}
            spec:
              template:
                spec:
                  image:
                    url: http://images.lab.example/rhcos.qcow2
                    checksum: http://images.lab.example/rhcos.qcow2.sha256
                    checksumType: sha256
                    diskFormat: qcow2
            """.formatted(name, namespace), "template").getFirst();
    }

    private void executable(String name, String content) throws IOException {
        Path file = Files.writeString(folder.resolve(name), content);
        var unused = Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private List<String> arguments(String name) throws IOException {
        return Files.readAllLines(folder.resolve(name + ".arguments"));
    }
}
