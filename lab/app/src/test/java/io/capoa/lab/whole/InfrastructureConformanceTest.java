package io.capoa.lab.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.capoa.api.contract.ContractReference;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import io.capoa.api.contract.MachineView;
import io.capoa.lab.conformance.Breach;
import io.capoa.lab.conformance.DefinitionRules;
import io.capoa.lab.conformance.ObjectRules;
import io.capoa.runtime.contract.Contracts;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Installs a cluster on each infrastructure provider of the lab, and checks the provider's kinds, roles and objects
 * against the contract; then that a pause and the finalizer of a machine hold.
 */
@Tag("whole")
@ExtendWith(WholeLab.Shared.class)
class InfrastructureConformanceTest {

    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);
    private static final String AGGREGATED = "openshiftassisted.controlplane.cluster.x-k8s.io/aggregate-to-manager";
    private static final Duration HELD_FOR = Duration.ofSeconds(2);

    /** Infrastructure providers of the lab, with a sample of a cluster on each. */
    enum Provider {
        METAL3("multinode"),
        LAB_CLOUD("external");

        private final String sample;

        Provider(String sample) {
            this.sample = sample;
        }
    }

    @ParameterizedTest
    @EnumSource
    void aProvider_obeysTheContract(Provider provider, WholeLab lab) {
        String namespace = lab.namespace(provider == Provider.METAL3 ? 5 : 0);
        lab.apply(namespace, WholeLab.sample(provider.sample));
        lab.awaitReady(namespace);

        List<Machine> machines = lab.machines(namespace);
        Contracts contracts = new Contracts(lab.admin(), Clock.systemUTC());
        ContractReference ofMachine = MachineView.of(machines.getFirst()).infrastructureRef();
        String kind = String.valueOf(ofMachine.kind());
        String group = String.valueOf(ofMachine.group());
        ContractReference ofCluster = cluster(lab, namespace, provider.sample);
        List<Breach> breaches = new ArrayList<>();
        for (String each : List.of(kind, kind + "Template", String.valueOf(ofCluster.kind()))) {
            breaches.addAll(DefinitionRules.check(definition(lab, group, each)));
        }
        breaches.addAll(rights(lab, group, kind));
        breaches.addAll(ObjectRules.cluster(objects(lab, contracts, namespace, group, String.valueOf(ofCluster.kind()))
                .getFirst()));
        objects(lab, contracts, namespace, group, kind + "Template")
                .forEach(template -> breaches.addAll(ObjectRules.template(template)));
        breaches.addAll(ObjectRules.machines(
                objects(lab, contracts, namespace, group, kind), nodes(lab, namespace, provider.sample)));
        assertThat(breaches).isEmpty();

        pauseHoldsTheDeletion(lab, contracts, namespace, worker(machines));
    }

    /** A paused machine is not removed, and is once the pause ends. */
    private static void pauseHoldsTheDeletion(WholeLab lab, Contracts contracts, String namespace, Machine machine) {
        ContractReference reference = MachineView.of(machine).infrastructureRef();
        var infrastructure = lab.admin()
                .genericKubernetesResources(
                        definition(contracts, String.valueOf(reference.group()), String.valueOf(reference.kind())))
                .inNamespace(namespace)
                .withName(reference.name());
        var unused = infrastructure.patch(MERGE, "{\"metadata\":{\"annotations\":{\"cluster.x-k8s.io/paused\":\"\"}}}");
        lab.admin().resource(machine).delete();
        await().atMost(WholeLab.SOON)
                .until(() -> infrastructure.require().getMetadata().getDeletionTimestamp() != null);
        await().during(HELD_FOR).atMost(HELD_FOR.plusSeconds(5)).until(() -> infrastructure.get() != null);
        unused = infrastructure.patch(MERGE, "{\"metadata\":{\"annotations\":{\"cluster.x-k8s.io/paused\":null}}}");
        await().atMost(WholeLab.SOON).until(() -> infrastructure.get() == null);
    }

    private static Machine worker(List<Machine> machines) {
        return machines.stream()
                .filter(machine -> !machine.getMetadata().getLabels().containsKey("cluster.x-k8s.io/control-plane"))
                .findFirst()
                .orElseThrow();
    }

    private static ContractReference cluster(WholeLab lab, String namespace, String name) {
        GenericKubernetesResource cluster = lab.admin()
                .genericKubernetesResources("cluster.x-k8s.io/v1beta2", "Cluster")
                .inNamespace(namespace)
                .withName(name)
                .require();
        return new ContractReference(Fields.map(cluster, "spec", "infrastructureRef"));
    }

    private static List<Breach> rights(WholeLab lab, String group, String kind) {
        var rules = lab.admin().rbac().clusterRoles().withLabel(AGGREGATED, "true").list().getItems().stream()
                .map(ClusterRole::getRules)
                .flatMap(List::stream)
                .toList();
        return Stream.concat(
                        DefinitionRules.check(
                                definition(lab, group, kind), List.of("get", "list", "watch", "create", "patch"), rules)
                                .stream(),
                        DefinitionRules.check(
                                definition(lab, group, kind + "Template"), List.of("get", "list", "watch"), rules)
                                .stream())
                .toList();
    }

    private static CustomResourceDefinition definition(WholeLab lab, String group, String kind) {
        return lab.admin()
                .apiextensions()
                .v1()
                .customResourceDefinitions()
                .withName(Contracts.plural(kind) + "." + group)
                .require();
    }

    private static ResourceDefinitionContext definition(Contracts contracts, String group, String kind) {
        return contracts.definition(group, kind).orElseThrow();
    }

    private static List<GenericKubernetesResource> objects(
            WholeLab lab, Contracts contracts, String namespace, String group, String kind) {
        return lab.admin()
                .genericKubernetesResources(definition(contracts, group, kind))
                .inNamespace(namespace)
                .list()
                .getItems();
    }

    private static List<String> nodes(WholeLab lab, String namespace, String cluster) {
        try (KubernetesClient workload = lab.workload(namespace, cluster)) {
            return workload.nodes().list().getItems().stream()
                    .map(node -> node.getSpec().getProviderID())
                    .toList();
        }
    }
}
