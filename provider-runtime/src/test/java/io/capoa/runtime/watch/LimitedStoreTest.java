package io.capoa.runtime.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.rules.MissingFields;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import org.junit.jupiter.api.Test;

class LimitedStoreTest {

    private static final KubernetesSerialization JSON = new KubernetesSerialization();

    private final LimitedStore<OpenshiftAssistedConfig> store = LimitedStore.of(16 << 20);

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
