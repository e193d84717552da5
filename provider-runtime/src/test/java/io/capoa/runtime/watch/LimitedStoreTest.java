package io.capoa.runtime.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.Machine;
import io.capoa.api.rules.MissingFields;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LimitedStoreTest {

    private static final KubernetesSerialization JSON = new KubernetesSerialization();

    private final LimitedStore<OpenshiftAssistedConfig> store = LimitedStore.whole(new CacheRoom(16 << 20));

    @Test
    void whatExceedsTheLimitOfItsNamespace_isKeptByItsMetadata_andSaysSo() {
        for (int n = 0; n < 20; n++) {
            put("tenant", "c" + n, 1 << 20);
        }
        put("other", "small", 1);

        assertThat(store.values().filter(config -> config.getSpec() != null))
                .as("seven of the tenant and the other's")
                .hasSize(8);
        assertThat(MissingFields.of(get("tenant", "c19")).orElse(""))
                .contains("spec is not held in memory", "8 MiB in namespace tenant", "delete some");
        assertThat(get("tenant", "c19").getMetadata().getName()).isEqualTo("c19");
        assertThat(MissingFields.of(get("other", "small"))).isEmpty();
    }

    @Test
    void whatExceedsTheLimitOfAll_isKeptByItsMetadata() {
        for (int n = 0; n < 20; n++) {
            put("tenant-" + n, "c", 1 << 20);
        }

        assertThat(store.values().filter(config -> config.getSpec() != null)).hasSize(15);
        assertThat(MissingFields.of(get("tenant-19", "c")).orElse("")).contains("16 MiB in all namespaces together");
    }

    @Test
    void whatIsChangedOrRemoved_makesRoom() {
        for (int n = 0; n < 8; n++) {
            put("tenant", "c" + n, 1 << 20);
        }
        assertThat(get("tenant", "c7").getSpec()).isNull();

        put("tenant", "c0", 1);
        put("tenant", "c7", 1 << 20);
        assertThat(get("tenant", "c7").getSpec()).isNotNull();
        store.remove("tenant/c1");
        put("tenant", "c8", 1 << 20);
        assertThat(get("tenant", "c8").getSpec()).isNotNull();
        put("tenant", "c9", 1 << 20);
        assertThat(get("tenant", "c9").getSpec()).isNull();
    }

    @Test
    void ofTheKindsOfOthers_whatExceedsTheLimit_isKeptByItsMetadata_andNamedForItsNamespace() {
        CacheRoom room = new CacheRoom(8 << 20);
        LimitedStore<Machine> machines = LimitedStore.pruned(UnaryOperator.identity(), room);
        LimitedStore<Secret> secrets = LimitedStore.pruned(UnaryOperator.identity(), room);
        for (int n = 0; n < 5; n++) {
            machines.put("tenant/m" + n, machine("tenant", "m" + n, 1 << 20));
            secrets.put("tenant/s" + n, secret("tenant", "s" + n, 1 << 20));
        }
        machines.put("other/small", machine("other", "small", 1));

        assertThat(machines.values().filter(machine -> machine.get("spec") != null))
                .as("one or two of the tenant and the other's: Secrets share the limit")
                .hasSize(3);
        assertThat(secrets.values().filter(secret -> secret.getData() != null)).hasSize(1);
        assertThat(secrets.notHeldIn("tenant").orElse(""))
                .startsWith("Secret tenant/s")
                .contains("is not held in memory", "4 MiB in namespace tenant", "delete what is not needed");
        assertThat(machines.notHeldIn("other")).isEmpty();
        assertThat(machines.get("tenant/m4").getMetadata())
                .satisfies(metadata -> assertThat(metadata.getLabels()).containsEntry("a", "b"))
                .satisfies(metadata -> assertThat(metadata.getAnnotations()).isEmpty());

        for (int n = 0; n < 5; n++) {
            secrets.remove("tenant/s" + n);
        }
        for (int n = 2; n < 5; n++) {
            machines.put("tenant/m" + n, machine("tenant", "m" + n, 1 << 10));
        }
        assertThat(secrets.notHeldIn("tenant")).isEmpty();
        assertThat(machines.notHeldIn("tenant")).isEmpty();
        assertThat(machines.values()).allMatch(machine -> machine.get("spec") != null);
    }

    @Test
    void longMetadata_isNotKeptEither() {
        LimitedStore<Machine> machines = LimitedStore.pruned(UnaryOperator.identity(), new CacheRoom(1 << 20));
        Machine machine = machine("tenant", "m", 1);
        machine.getMetadata()
                .setFinalizers(
                        IntStream.range(0, 40_000).mapToObj(n -> "a/" + n).toList());
        machines.put("tenant/m", machine);

        ObjectMeta left = machines.get("tenant/m").getMetadata();
        // Empty as when the API server sends none: mappers of events read them.
        assertThat(left.getFinalizers()).isEmpty();
        assertThat(left.getOwnerReferences()).isEmpty();
        assertThat(left.getLabels()).isEmpty();
        assertThat(machines.notHeldIn("tenant")).isPresent();
    }

    @Test
    void keysThatUsersChoose_count_andNamesOfFieldsDoNot() {
        Map<String, String> keys = IntStream.range(0, 1_000).boxed().collect(Collectors.toMap(n -> "key" + n, n -> ""));

        assertThat(Weight.of(new ObjectMetaBuilder().withLabels(keys).build())).isGreaterThan(Weight.of(keys) + 40_000);
        assertThat(Weight.of(Map.of("a".repeat(100), ""))).isEqualTo(Weight.of(Map.of("a", "")) + 40 + 100);
    }

    private static Machine machine(String namespace, String name, int length) {
        Machine machine = new Machine();
        machine.setMetadata(metadata(namespace, name));
        machine.setAdditionalProperty("spec", Map.of("clusterName", "x".repeat(length)));
        return machine;
    }

    private static Secret secret(String namespace, String name, int length) {
        return new SecretBuilder()
                .withMetadata(metadata(namespace, name))
                .addToData("value", "x".repeat(length))
                .build();
    }

    private static ObjectMeta metadata(String namespace, String name) {
        return new ObjectMetaBuilder()
                .withNamespace(namespace)
                .withName(name)
                .addToLabels("a", "b")
                .addToAnnotations("c", "d")
                .build();
    }

    private void put(String namespace, String name, int length) {
        store.put(
                namespace + "/" + name,
                JSON.unmarshal("""
                {"metadata": {"namespace": "%s", "name": "%s"}, "spec": {"additionalTrustBundle": "%s"}}
                """.formatted(namespace, name, "x".repeat(length)), OpenshiftAssistedConfig.class));
    }

    private OpenshiftAssistedConfig get(String namespace, String name) {
        return store.get(namespace + "/" + name);
    }
}
