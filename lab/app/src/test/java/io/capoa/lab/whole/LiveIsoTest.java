package io.capoa.lab.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.capoa.api.Annotations;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.InfraEnv;
import io.capoa.api.contract.Machine;
import io.capoa.api.contract.Metal3Machine;
import io.capoa.lab.cluster.AuditEntry;
import io.capoa.lab.cluster.AuditLog;
import io.capoa.lab.provider.Provider;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The live-ISO sample: every host boots the ISO of its own Machine, and nothing earlier. */
@Tag("full")
@Tag("whole")
@SideBySide
@ExtendWith(WholeLab.Shared.class)
class LiveIsoTest {

    private static final String PLACEHOLDER = "live-iso.invalid";

    @Test
    void everyHostBootsTheIsoOfItsOwnMachine(WholeLab lab) {
        assumeTrue(lab.cluster().auditLog().isPresent(), "this kind of cluster keeps no audit log that tests can read");
        AuditLog.Mark begin = lab.cluster().auditLog().orElseThrow().mark();
        String namespace = lab.namespace(5);
        lab.apply(namespace, WholeLab.sample("live-iso"));
        lab.awaitReady(namespace);

        Map<String, String> isos = new TreeMap<>();
        for (Machine machine : lab.machines(namespace)) {
            String name = machine.getMetadata().getName();
            Metal3Machine infrastructure = get(
                    lab, Metal3Machine.class, namespace, Fields.string(machine, "spec", "infrastructureRef", "name"));
            String iso = image(infrastructure);
            assertThat(iso)
                    .as("ISO of %s", name)
                    .isEqualTo(Fields.string(get(lab, InfraEnv.class, namespace, name), "status", "isoDownloadURL"));
            isos.put(infrastructure.getMetadata().getName(), iso);
        }
        assertThat(isos).hasSize(5);
        assertThat(Set.copyOf(isos.values())).hasSize(5);
        List<BareMetalHost> hosts = lab.admin()
                .resources(BareMetalHost.class)
                .inNamespace(namespace)
                .list()
                .getItems();
        assertThat(hosts)
                .hasSize(5)
                .allSatisfy(host -> assertThat(image(host))
                        .isEqualTo(isos.get(Fields.string(host, "spec", "consumerRef", "name"))));
        assertThat(hosts)
                .allSatisfy(host -> assertThat(lab.peers()
                                .hosts()
                                .lastRefusal(namespace, host.getMetadata().getName()))
                        .isEmpty());
        assertTemplatesUntouched(lab, namespace);
        assertOrder(lab.cluster().auditLog().orElseThrow().since(begin), namespace);
    }

    @Test
    void afterAPowerCycle_aHostBootsItsDisk_andWithoutTheDetachmentTheIso(WholeLab lab) {
        String namespace = lab.namespace(3);
        lab.apply(namespace, WholeLab.withoutWorkers(WholeLab.sample("live-iso")));
        lab.awaitReady(namespace);
        await().atMost(WholeLab.SOON)
                .until(() -> hosts(lab, namespace).stream()
                        .allMatch(host -> "detached".equals(Fields.string(host, "status", "operationalStatus"))));
        BareMetalHost host = hosts(lab, namespace).getFirst();
        assertThat(boot(lab, host)).contains("live ISO");

        powerCycle(lab, host);
        await().atMost(WholeLab.SOON)
                .until(() -> boot(lab, host).filter("installed system"::equals).isPresent());

        // Removes the provider's annotations while the config is paused.
        String consumer = String.valueOf(Fields.string(host, "spec", "consumerRef", "name"));
        OpenshiftAssistedConfig config =
                lab.admin().resources(OpenshiftAssistedConfig.class).inNamespace(namespace).list().getItems().stream()
                        .filter(c -> lab.machines(namespace).stream()
                                .anyMatch(machine ->
                                        consumer.equals(Fields.string(machine, "spec", "infrastructureRef", "name"))
                                                && c.getMetadata()
                                                        .getName()
                                                        .equals(Fields.string(
                                                                machine, "spec", "bootstrap", "configRef", "name"))))
                        .findFirst()
                        .orElseThrow();
        annotate(lab, config, "cluster.x-k8s.io/paused", "\"\"");
        await().atMost(WholeLab.SOON)
                .until(() -> get(
                                lab,
                                OpenshiftAssistedConfig.class,
                                namespace,
                                config.getMetadata().getName())
                        .getStatus()
                        .conditions()
                        .stream()
                        .anyMatch(condition -> condition.type().equals("Paused")
                                && condition.status().equals("True")));
        annotate(lab, host, Annotations.HOST_DETACHED, "null");
        annotate(lab, host, Annotations.DETACHED_FOR, "null");
        await().atMost(WholeLab.SOON)
                .until(() -> "OK"
                        .equals(Fields.string(
                                get(
                                        lab,
                                        BareMetalHost.class,
                                        namespace,
                                        host.getMetadata().getName()),
                                "status",
                                "operationalStatus")));
        powerCycle(lab, host);
        await().atMost(WholeLab.SOON)
                .until(() -> boot(lab, host).filter("live ISO"::equals).isPresent());
        annotate(lab, config, "cluster.x-k8s.io/paused", "null");
        await().atMost(WholeLab.SOON)
                .until(() -> hosts(lab, namespace).stream()
                        .allMatch(h -> "detached".equals(Fields.string(h, "status", "operationalStatus"))));
        powerCycle(lab, host);

        // A detached host is attached before it is deprovisioned.
        var unused = lab.admin()
                .genericKubernetesResources("cluster.x-k8s.io/v1beta2", "Cluster")
                .inNamespace(namespace)
                .withName("live-iso")
                .delete();
        await().atMost(WholeLab.SOON)
                .until(() -> hosts(lab, namespace).stream()
                        .allMatch(h -> "available".equals(Fields.string(h, "status", "provisioning", "state"))
                                && Fields.any(h, "spec", "consumerRef") == null));
    }

    private static List<BareMetalHost> hosts(WholeLab lab, String namespace) {
        return lab.admin()
                .resources(BareMetalHost.class)
                .inNamespace(namespace)
                .list()
                .getItems();
    }

    private static Optional<String> boot(WholeLab lab, BareMetalHost host) {
        return lab.peers()
                .hosts()
                .lastBoot(host.getMetadata().getNamespace(), host.getMetadata().getName());
    }

    private static void powerCycle(WholeLab lab, BareMetalHost host) {
        annotate(lab, host, "lab.capoa.io/power", "\"off\"");
        await().atMost(WholeLab.SOON)
                .until(() -> lab.peers()
                        .hosts()
                        .isOff(
                                host.getMetadata().getNamespace(),
                                host.getMetadata().getName()));
        annotate(lab, host, "lab.capoa.io/power", "null");
    }

    private static void annotate(WholeLab lab, HasMetadata resource, String annotation, String json) {
        var unused = lab.admin()
                .resource(resource)
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"metadata\":{\"annotations\":{\"" + annotation + "\":" + json + "}}}");
    }

    private static void assertTemplatesUntouched(WholeLab lab, String namespace) {
        assertThat(lab.admin()
                        .genericKubernetesResources("infrastructure.cluster.x-k8s.io/v1beta2", "Metal3MachineTemplate")
                        .inNamespace(namespace)
                        .list()
                        .getItems())
                .hasSize(2)
                .allSatisfy(template -> assertThat(Fields.string(template, "spec", "template", "spec", "image", "url"))
                        .contains(PLACEHOLDER));
    }

    /**
     * In the order of writes: a host gets an image only after its Metal3Machine has its own. That may be the template's at
     * first, which CAPM3 reads from a cache; the provider corrects it before the host installs.
     */
    private static void assertOrder(List<AuditEntry> log, String namespace) {
        String provider = Provider.BOOTSTRAP.user();
        Set<String> given = new HashSet<>();
        Set<String> booted = new HashSet<>();
        for (AuditEntry entry : log) {
            if (!entry.isWrite() || !entry.succeeded() || !entry.namespace().equals(namespace)) {
                continue;
            }
            assertThat(entry.user().equals(provider) && entry.resource().equals("metal3machinetemplates"))
                    .isFalse();
            String image = entry.object().path("spec").path("image").path("url").asText();
            if (entry.user().equals(provider) && entry.resource().equals("metal3machines")) {
                given.add(entry.name());
            } else if (entry.resource().equals("baremetalhosts") && !image.isEmpty()) {
                String consumer = entry.object()
                        .path("spec")
                        .path("consumerRef")
                        .path("name")
                        .asText();
                assertThat(given)
                        .as("given an ISO before %s boots", entry.name())
                        .contains(consumer);
                booted.add(consumer);
            }
        }
        assertThat(booted).hasSize(5).isEqualTo(given);
    }

    private static <R extends HasMetadata> R get(WholeLab lab, Class<R> kind, String namespace, String name) {
        return lab.admin().resources(kind).inNamespace(namespace).withName(name).require();
    }

    private static String image(io.fabric8.kubernetes.api.model.GenericKubernetesResource resource) {
        return String.valueOf(Fields.string(resource, "spec", "image", "url"));
    }
}
