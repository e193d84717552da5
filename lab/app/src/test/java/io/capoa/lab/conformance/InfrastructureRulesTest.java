package io.capoa.lab.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.lab.conformance.HistoryRules.Moment;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A provider that obeys the contract has no breach; one change that breaks a rule has one, which says what to do. */
class InfrastructureRulesTest {

    private static final String DEFINITION = """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata:
              name: examplemachines.infrastructure.example.com
              labels: {cluster.x-k8s.io/v1beta2: v1alpha1_v1}
            spec:
              group: infrastructure.example.com
              scope: Namespaced
              names: {kind: ExampleMachine, plural: examplemachines}
              versions:
              - {name: v1, served: true, storage: true}
              - {name: v1alpha1, served: false, storage: false}
            """;

    private static final String CLUSTER = """
            apiVersion: infrastructure.example.com/v1
            kind: ExampleCluster
            metadata: {name: c}
            spec:
              controlPlaneEndpoint: {host: api.example.com, port: 6443}
            status:
              initialization: {provisioned: true}
              failureDomains:
              - {name: zone-a, controlPlane: true}
              conditions:
              - {type: Ready, status: "True", reason: Ready, lastTransitionTime: "2026-01-01T00:00:00Z"}
            """;

    private static final String MACHINE = """
            apiVersion: infrastructure.example.com/v1
            kind: ExampleMachine
            metadata: {name: m, finalizers: [example]}
            spec:
              providerID: example://zone-a/i-1
            status:
              initialization: {provisioned: true}
              addresses:
              - {type: InternalIP, address: 192.0.2.1}
              - {type: Hostname, address: m}
              conditions:
              - {type: Ready, status: "True", reason: Ready, lastTransitionTime: "2026-01-01T00:00:00Z"}
            """;

    private static final String TEMPLATE = """
            apiVersion: infrastructure.example.com/v1
            kind: ExampleMachineTemplate
            metadata: {name: t}
            spec: {template: {spec: {size: 3}}}
            """;

    private static final Set<String> NODES = Set.of("example://zone-a/i-1");

    @Test
    void aProviderThatObeysTheContract_hasNoBreach() {
        assertThat(DefinitionRules.check(definition(DEFINITION))).isEmpty();
        assertThat(ObjectRules.cluster(object(CLUSTER))).isEmpty();
        assertThat(ObjectRules.template(object(TEMPLATE))).isEmpty();
        assertThat(ObjectRules.machines(List.of(object(MACHINE)), NODES)).isEmpty();
        assertThat(HistoryRules.order(List.of(new Moment(object(MACHINE), "data"))))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "cluster.x-k8s.io/v1beta2: v1alpha1_v1 | other: label | needs label cluster.x-k8s.io/v1beta2",
                "v1alpha1_v1 | v1alpha1 | names v1alpha1, and it serves v1",
                "scope: Namespaced | scope: Cluster | has to be Namespaced",
                "name: examplemachines. | name: exampleboxes. | has to be named examplemachines.infrastructure.example.com"
            })
    void aDefinitionThatBreaksARule_isNamed(String good, String bad, String said) {
        assertThat(DefinitionRules.check(definition(mutated(DEFINITION, good, bad))))
                .singleElement()
                .asString()
                .startsWith("CustomResourceDefinition example")
                .contains(said);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "provisioned: true | provisioned: false | status.initialization.provisioned",
                "port: 6443 | other: 6443 | spec.controlPlaneEndpoint needs host and port",
                "name: zone-a | attributes: {} | each entry of it needs a name",
                "reason: Ready, | message: m, | lacks type, status, reason"
            })
    void aClusterThatBreaksARule_isNamed(String good, String bad, String said) {
        assertThat(ObjectRules.cluster(object(mutated(CLUSTER, good, bad))))
                .singleElement()
                .asString()
                .startsWith("ExampleCluster c: ")
                .contains(said);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "example://zone-a/i-1 | i-1 | form scheme://path",
                "example://zone-a/i-1 | example://zone-a/i-2 | no Node has spec.providerID example://zone-a/i-2",
                "provisioned: true | provisioned: false | status.initialization.provisioned",
                "type: InternalIP | type: IP | each entry needs an address and a type",
                "type: InternalIP | type: ExternalIP | has no InternalIP",
                "finalizers: [example] | labels: {} | needs a finalizer",
                "status: \"True\", | message: m, | lacks type, status, reason"
            })
    void aMachineThatBreaksARule_isNamed(String good, String bad, String said) {
        assertThat(ObjectRules.machines(List.of(object(mutated(MACHINE, good, bad))), NODES))
                .singleElement()
                .asString()
                .startsWith("ExampleMachine m: ")
                .contains(said);
    }

    @Test
    void twoMachinesWithOneProviderId_areABreach() {
        assertThat(ObjectRules.machines(List.of(object(MACHINE), object(MACHINE)), NODES))
                .singleElement()
                .asString()
                .contains("is another machine's too");
    }

    @Test
    void anInstanceWithoutUserData_isABreach() {
        assertThat(HistoryRules.order(List.of(new Moment(object(MACHINE), ""))))
                .singleElement()
                .asString()
                .contains("before Machine.spec.bootstrap.dataSecretName was set");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "example://zone-a/i-1 | example://zone-a/i-2 | spec.providerID changed from example://zone-a/i-1 to example://zone-a/i-2",
                "provisioned: true | provisioned: false | became false again",
                "providerID: example://zone-a/i-1 | image: a | spec.providerID changed from example://zone-a/i-1 to null"
            })
    void whatCoreReadsOnce_doesNotChange(String before, String after, String said) {
        Moment first = new Moment(object(MACHINE), "data");
        assertThat(HistoryRules.steadiness(List.of(first, first))).isEmpty();
        assertThat(HistoryRules.steadiness(List.of(first, new Moment(object(mutated(MACHINE, before, after)), "data"))))
                .anySatisfy(breach -> assertThat(breach.toString())
                        .startsWith("ExampleMachine m: ")
                        .contains(said));
    }

    @Test
    void aProvisionedMachineWithoutProviderId_isABreach() {
        String without = mutated(MACHINE, "providerID: example://zone-a/i-1", "image: a");
        assertThat(HistoryRules.steadiness(List.of(new Moment(object(without), "data"))))
                .singleElement()
                .asString()
                .contains("is true without spec.providerID");
    }

    @Test
    void aTemplateWithoutSpec_orWithAnotherKind_isABreach() {
        assertThat(ObjectRules.template(object(mutated(TEMPLATE, "{size: 3}", "{}"))))
                .singleElement()
                .asString()
                .contains("spec.template.spec");
        assertThat(ObjectRules.template(object(mutated(TEMPLATE, "ExampleMachineTemplate", "ExampleMachineSet"))))
                .singleElement()
                .asString()
                .contains("with Template at the end");
    }

    @Test
    void aRightThatNoRoleGrants_isABreach() {
        CustomResourceDefinition definition = definition(DEFINITION);
        PolicyRule reads = new PolicyRuleBuilder()
                .withApiGroups("infrastructure.example.com")
                .withResources("examplemachines")
                .withVerbs("get", "list", "watch")
                .build();
        assertThat(DefinitionRules.check(definition, List.of("get", "list"), "aggregate", List.of(reads)))
                .isEmpty();
        assertThat(DefinitionRules.check(definition, List.of("get", "create", "patch"), "aggregate", List.of(reads)))
                .singleElement()
                .asString()
                .startsWith("Resource examplemachines.infrastructure.example.com")
                .endsWith("label aggregate grants verbs create, patch");
    }

    private static String mutated(String text, String good, String bad) {
        assertThat(text).contains(good);
        return text.replace(good, bad);
    }

    private static GenericKubernetesResource object(String yaml) {
        return Serialization.unmarshal(yaml, GenericKubernetesResource.class);
    }

    private static CustomResourceDefinition definition(String yaml) {
        return Serialization.unmarshal(yaml, CustomResourceDefinition.class);
    }
}
