package io.capoa.lab.page;

import io.capoa.api.conditions.PlannedFinding;
import io.capoa.lab.cluster.TestCluster;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;

/** A failed installation, a host with an error and a Secret on an API server, and the page that shows them. */
final class PageScene implements AutoCloseable {

    static final String HOSTILE = "<img src=x onerror=\"document.title='broken'\"> & remedy: retry";
    static final String TOKEN = "eyJhbGciOiJFUzI1NiJ9";
    static final String SECRET = "cGFnZS1tdXN0LW5vdC1zaG93LXRoaXM";

    final KubernetesClient client;
    final String namespace;
    final PageServer page;
    /** When the release was resolved, after the objects were created. */
    final String resolved =
            Instant.now().truncatedTo(ChronoUnit.SECONDS).plusSeconds(60).toString();

    PageScene(TestCluster cluster) {
        client = cluster.admin();
        namespace = client.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withGenerateName("page-")
                        .endMetadata()
                        .build())
                .create()
                .getMetadata()
                .getName();
        client.resource(new SecretBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace)
                        .withName("secret")
                        .endMetadata()
                        .withData(Map.of("password", SECRET + "="))
                        .build())
                .create();
        create("""
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: Cluster
                metadata: {name: stuck}
                spec:
                  controlPlaneRef:
                    {apiGroup: controlplane.cluster.x-k8s.io, kind: OpenshiftAssistedControlPlane, name: stuck}
                  infrastructureRef:
                    {apiGroup: infrastructure.cluster.x-k8s.io, kind: Metal3Cluster, name: stuck}
                """);
        GenericKubernetesResource controlPlane = create("""
                apiVersion: controlplane.cluster.x-k8s.io/v1beta1
                kind: OpenshiftAssistedControlPlane
                metadata: {name: stuck}
                spec:
                  distributionVersion: 4.20.3
                  replicas: 3
                  machineTemplate:
                    spec:
                      infrastructureRef:
                        {apiGroup: infrastructure.cluster.x-k8s.io, kind: Metal3MachineTemplate, name: stuck}
                """);
        controlPlane.setAdditionalProperty(
                "status",
                Serialization.unmarshal(
                        """
                conditions:
                - {type: InstallSucceeding, status: "False", reason: InstallFailed, lastTransitionTime: "%s",
                   message: %s}
                - {type: ReleaseResolved, status: "True", reason: ReleaseResolved, lastTransitionTime: "%s",
                   message: ""}
                - {type: InstallationPlanned, status: "True", reason: InstallationPlanned, lastTransitionTime: "%s",
                   message: %s}
                """.formatted(
                                        resolved,
                                        Serialization.asJson(HOSTILE),
                                        resolved,
                                        resolved,
                                        Serialization.asJson(PlannedFinding.Severity.WARNING.title() + "\n"
                                                + finding().line())),
                        Map.class));
        client.resource(controlPlane).updateStatus();
        GenericKubernetesResource host = create("""
                apiVersion: metal3.io/v1alpha1
                kind: BareMetalHost
                metadata: {name: broken-host}
                spec: {online: true}
                """);
        host.setAdditionalProperty("status", Serialization.unmarshal("""
                provisioning: {state: provisioning, ID: "", image: {url: ""}}
                poweredOn: true
                errorCount: 1
                errorMessage: the disk image cannot be fetched
                hardwareProfile: ""
                operationalStatus: error
                """, Map.class));
        client.resource(host).updateStatus();
        GenericKubernetesResource hostile = create("""
                apiVersion: metal3.io/v1alpha1
                kind: BareMetalHost
                metadata: {name: hostile, annotations: {note: %s}}
                spec: {online: true, image: {url: "https://assisted.example/boot.iso?image_token=%s", format: live-iso}}
                """.formatted(Serialization.asJson(HOSTILE), TOKEN));
        hostile.setAdditionalProperty(
                "status",
                Serialization.unmarshal(
                        """
                provisioning: {state: provisioning, ID: "", image: {url: "https://assisted.example/boot.iso?image_token=%s"}}
                poweredOn: true
                errorCount: 1
                errorMessage: %s
                hardwareProfile: ""
                operationalStatus: error
                """.formatted(
                                        TOKEN,
                                        Serialization.asJson(
                                                HOSTILE + " https://assisted.example/boot.iso?image_token=" + TOKEN)),
                        Map.class));
        client.resource(hostile).updateStatus();
        page = PageServer.open(new PageReader(client), 0);
    }

    /** What was planned of the failed installation. */
    PlannedFinding finding() {
        return new PlannedFinding(
                PlannedFinding.Severity.WARNING,
                "boot-media",
                "BareMetalHost",
                namespace,
                "hostile",
                "spec.bmc.address",
                HOSTILE,
                HOSTILE);
    }

    private GenericKubernetesResource create(String yaml) {
        GenericKubernetesResource object = Serialization.unmarshal(yaml, GenericKubernetesResource.class);
        object.getMetadata().setNamespace(namespace);
        return client.resource(object).create();
    }

    void hostileEvent() {
        create("""
                apiVersion: events.k8s.io/v1
                kind: Event
                metadata: {name: hostile}
                type: Warning
                reason: %1$s
                action: Watch
                note: %1$s
                eventTime: "2026-01-01T10:00:00.000000Z"
                reportingController: test
                reportingInstance: test
                regarding: {kind: Cluster, apiVersion: cluster.x-k8s.io/v1beta2, name: stuck, namespace: %2$s}
                """.formatted(Serialization.asJson(HOSTILE), namespace));
    }

    void event() {
        create("""
                apiVersion: events.k8s.io/v1
                kind: Event
                metadata: {name: happened}
                type: Warning
                reason: SomethingHappened
                action: Watch
                note: a note
                eventTime: "2026-01-01T10:00:00.000000Z"
                reportingController: test
                reportingInstance: test
                regarding: {kind: Cluster, apiVersion: cluster.x-k8s.io/v1beta2, name: stuck, namespace: %s}
                """.formatted(namespace));
    }

    @Override
    public void close() {
        page.close();
        client.namespaces().withName(namespace).delete();
    }
}
