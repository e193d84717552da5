package io.capoa.bootstrap.infrastructure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.Machine;
import io.capoa.api.contract.Metal3Machine;
import io.capoa.api.contract.OlderMetal3Machine;
import io.capoa.bootstrap.infrastructure.ExampleInfrastructure.ExampleMachine;
import io.capoa.runtime.watch.EventSources;
import io.capoa.runtime.write.Applier;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.javaoperatorsdk.operator.api.config.BaseConfigurationService;
import io.javaoperatorsdk.operator.api.config.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.IndexerResourceCache;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InfrastructureProvidersTest {

    private static final ExampleMachine EXAMPLE = Serialization.unmarshal("""
            apiVersion: infrastructure.example.org/v1
            kind: ExampleMachine
            metadata:
              namespace: ns
              name: x1
              ownerReferences: [{apiVersion: cluster.x-k8s.io/v1beta2, kind: Machine, name: m1, uid: u}]
            """, ExampleMachine.class);

    private final KubernetesClient client =
            new KubernetesClientBuilder().withConfig(Config.empty()).build();

    @AfterEach
    void close() {
        client.close();
    }

    @Test
    void theKindOfTheInfrastructureMachine_choosesTheProvider() {
        InfrastructureProviders providers = ExampleInfrastructure.registered(EXAMPLE);

        assertThat(providers.of(machine("infrastructure.example.org", "ExampleMachine", "x1")))
                .isEqualTo(new ExampleInfrastructure(EXAMPLE));
        assertThat(providers
                        .of(machine("infrastructure.example.org", "ExampleMachine", "x2"))
                        .missing())
                .contains("ExampleMachine x2 does not exist");
    }

    @ParameterizedTest
    @CsvSource({"infrastructure.example.org, CloudMachine", "cloud.example.org, ExampleMachine"})
    void aKindThatIsNotKnown_isReadByTheContract(String group, String kind) {
        InfrastructureProviders providers = ExampleInfrastructure.registered(EXAMPLE);
        Machine machine = machine(group, kind, "x1");

        assertThat(providers.of(machine)).isEqualTo(new ContractInfrastructure(false));

        machine.setAdditionalProperty("status", Map.of("initialization", Map.of("infrastructureProvisioned", true)));
        assertThat(providers.of(machine)).isEqualTo(new ContractInfrastructure(true));
        assertThatThrownBy(() -> providers.patchIfUnchanged(new Applier(client, "t"), machine, EXAMPLE, Map.of()))
                .hasMessageContaining("ExampleMachine x1");
    }

    @Test
    void aMachineWithoutAReference_hasNoInfrastructure() {
        Machine machine = machine("infrastructure.example.org", "ExampleMachine", "x1");
        machine.setAdditionalProperty("spec", Map.of());

        assertThat(ExampleInfrastructure.registered(EXAMPLE).of(machine).missing())
                .contains("Machine m1 names no infrastructure machine");
    }

    @ParameterizedTest
    @CsvSource({
        "infrastructure.cluster.x-k8s.io, Metal3Machine, true",
        "infrastructure.cluster.x-k8s.io, CloudMachine, false",
        "example.org, Metal3Machine, false"
    })
    void metal3_isChosenByItsGroupAndKind(String group, String kind, boolean chosen) {
        Infrastructure read =
                InfrastructureProviders.declare(eventSources(new Configs())).of(machine(group, kind, "x1"));

        // Its informers have not been started here: nothing is known of the machine.
        assertThat(read.missing().isPresent()).isEqualTo(chosen);
        assertThat(read instanceof ContractInfrastructure).isEqualTo(!chosen);
    }

    @Test
    void eachProviderBringsItsInformers() {
        EventSources<OpenshiftAssistedConfig> shipped = eventSources(new Configs());
        InfrastructureProviders.declare(shipped);
        assertThat(shipped.toList())
                .<Class<?>>extracting(EventSource::resourceType)
                .containsExactly(Metal3Machine.class, OlderMetal3Machine.class, BareMetalHost.class);

        EventSources<OpenshiftAssistedConfig> further = eventSources(new Configs());
        InfrastructureProviders.declare(further, with(ExampleInfrastructure.Provider::declare));
        assertThat(further.toList())
                .<Class<?>>extracting(EventSource::resourceType)
                .containsExactly(
                        Metal3Machine.class, OlderMetal3Machine.class, BareMetalHost.class, ExampleMachine.class);
    }

    @Test
    void aChangeOfAnInfrastructureMachine_triggersTheConfigOfItsMachine() {
        Configs configs = new Configs();
        EventSources<OpenshiftAssistedConfig> eventSources = eventSources(configs);
        InfrastructureProviders.declare(eventSources, with(ExampleInfrastructure.Provider::declare));

        assertThat(primaries(eventSources.toList().getLast(), EXAMPLE)).containsExactly(new ResourceID("c1", "ns"));
    }

    @SuppressWarnings("unchecked")
    private static Iterable<ResourceID> primaries(
            EventSource<?, OpenshiftAssistedConfig> source, ExampleMachine machine) {
        InformerEventSourceConfiguration<ExampleMachine> configuration =
                ((InformerEventSource<ExampleMachine, OpenshiftAssistedConfig>) source).configuration();
        return configuration.<ExampleMachine>getSecondaryToPrimaryMapper().toPrimaryResourceIDs(machine);
    }

    private static List<Function<EventSources<OpenshiftAssistedConfig>, InfrastructureProvider>> with(
            Function<EventSources<OpenshiftAssistedConfig>, InfrastructureProvider> further) {
        return Stream.concat(InfrastructureProviders.KNOWN.stream(), Stream.of(further))
                .toList();
    }

    private EventSources<OpenshiftAssistedConfig> eventSources(Configs configs) {
        ControllerConfiguration<OpenshiftAssistedConfig> configuration =
                new BaseConfigurationService().getConfigurationFor(new Idle());
        return new EventSources<>(
                        new EventSourceContext<>(configs, configuration, client, OpenshiftAssistedConfig.class))
                .primaryKey(InfrastructureProvider.BY_MACHINE, config -> List.of("m1"));
    }

    private static Machine machine(String group, String kind, String name) {
        return Serialization.unmarshal("""
                apiVersion: cluster.x-k8s.io/v1beta2
                kind: Machine
                metadata: {namespace: ns, name: m1}
                spec: {infrastructureRef: {apiGroup: %s, kind: %s, name: %s}}
                """.formatted(group, kind, name), Machine.class);
    }

    /** A reconciler for its configuration alone. */
    @io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration
    private static final class Idle implements Reconciler<OpenshiftAssistedConfig> {
        @Override
        public UpdateControl<OpenshiftAssistedConfig> reconcile(
                OpenshiftAssistedConfig config, Context<OpenshiftAssistedConfig> context) {
            return UpdateControl.noUpdate();
        }
    }

    /** The primary cache, with config c1. */
    private static final class Configs implements IndexerResourceCache<OpenshiftAssistedConfig> {

        private final OpenshiftAssistedConfig config =
                Serialization.unmarshal("metadata: {namespace: ns, name: c1}", OpenshiftAssistedConfig.class);

        private final Map<String, Function<OpenshiftAssistedConfig, List<String>>> indexers = new HashMap<>();

        @Override
        public void addIndexers(Map<String, Function<OpenshiftAssistedConfig, List<String>>> added) {
            indexers.putAll(added);
        }

        @Override
        public List<OpenshiftAssistedConfig> byIndex(String index, String key) {
            return indexers.get(index).apply(config).contains(key) ? List.of(config) : List.of();
        }

        @Override
        public Optional<OpenshiftAssistedConfig> get(ResourceID id) {
            return list(ignored -> true)
                    .filter(c -> ResourceID.fromResource(c).equals(id))
                    .findFirst();
        }

        @Override
        public Stream<ResourceID> keys() {
            return Stream.of(ResourceID.fromResource(config));
        }

        @Override
        public Stream<OpenshiftAssistedConfig> list(Predicate<OpenshiftAssistedConfig> predicate) {
            return Stream.of(config).filter(predicate);
        }

        @Override
        public Stream<OpenshiftAssistedConfig> list(String namespace, Predicate<OpenshiftAssistedConfig> predicate) {
            return list(predicate);
        }
    }
}
