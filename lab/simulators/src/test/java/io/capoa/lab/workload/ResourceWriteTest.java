package io.capoa.lab.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.capoa.api.contract.Fields;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ResourceWriteTest {

    private static final String MERGE = "application/merge-patch+json";

    private final ObjectStore store = new ObjectStore();
    private final ResourceWrite spec = new ResourceWrite(Resource.CLUSTER_VERSIONS, false);
    private final ResourceWrite status = new ResourceWrite(Resource.CLUSTER_VERSIONS, true);

    @BeforeEach
    void create() throws IOException {
        store.create(
                Resource.CLUSTER_VERSIONS.path(),
                spec.created(Json.parse(
                        "{\"metadata\":{\"name\":\"version\"},\"spec\":{\"clusterID\":\"a\"},\"status\":{\"v\":1}}")));
    }

    @Test
    void eachPath_changesItsPart_andOnlyTheSpecRaisesTheGeneration() throws Exception {
        Map<String, Object> both = Json.parse("{\"spec\":{\"channel\":\"c\"},\"status\":{\"v\":2}}");

        Map<String, Object> first = Objects.requireNonNull(spec.patch(store, "version", MERGE, both));
        assertThat(Fields.any(first, "spec", "channel")).isEqualTo("c");
        assertThat(Fields.any(first, "status", "v")).isEqualTo(1);
        assertThat(Fields.any(first, "metadata", "generation")).isEqualTo(2);

        Map<String, Object> other = Json.parse("{\"spec\":{\"channel\":\"d\"},\"status\":{\"v\":2}}");
        Map<String, Object> second = Objects.requireNonNull(status.patch(store, "version", MERGE, other));
        assertThat(Fields.any(second, "spec", "channel")).isEqualTo("c");
        assertThat(Fields.any(second, "status", "v")).isEqualTo(2);
        assertThat(Fields.any(second, "metadata", "generation")).isEqualTo(2);
    }

    @Test
    void anOutdatedResourceVersion_conflicts() throws Exception {
        Map<String, Object> before =
                Json.copy(Objects.requireNonNull(store.get(Resource.CLUSTER_VERSIONS.path(), "version")));
        spec.patch(store, "version", MERGE, Json.parse("{\"spec\":{\"channel\":\"c\"}}"));

        assertThatThrownBy(() -> spec.put(store, "version", before)).isInstanceOf(ObjectStore.Conflict.class);
        assertThatThrownBy(() -> status.put(store, "version", before)).isInstanceOf(ObjectStore.Conflict.class);
        ObjectStore.metadata(before).remove("resourceVersion");
        assertThat(spec.put(store, "version", before)).isNotNull();
    }

    @Test
    void whatTheSchemaForbids_isRejected() {
        assertRejected(422, "{\"spec\":{\"clusterID\":null}}", "spec.clusterID");
        assertRejected(422, "{\"spec\":{\"desiredUpdate\":{\"architecture\":\"arm64\"}}}", "Unsupported value");
        assertThatThrownBy(() -> spec.patch(store, "version", "application/json-patch+json", Map.of()))
                .isInstanceOfSatisfying(
                        ObjectStore.Rejected.class, e -> assertThat(e.code()).isEqualTo(415));
    }

    private void assertRejected(int code, String patch, String message) {
        assertThatThrownBy(() -> spec.patch(store, "version", MERGE, Json.parse(patch)))
                .hasMessageContaining(message)
                .isInstanceOfSatisfying(
                        ObjectStore.Rejected.class, e -> assertThat(e.code()).isEqualTo(code));
    }
}
