package io.capoa.runtime.migration;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntryBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

class ManagedFieldsCleanupTest {

    private static final Set<String> SERVED = Set.of("example.com/v1alpha2", "example.com/v1beta1");
    private static final String STORED = "example.com/v1beta1";

    @Test
    void entriesOfServedVersions_stay() {
        assertThat(clean(entry("core", "example.com/v1alpha2"), entry("capoa", STORED)))
                .isEmpty();
        assertThat(clean()).isEmpty();
    }

    @Test
    void entriesOfOtherVersions_go() {
        ManagedFieldsEntry own = entry("capoa", STORED);

        assertThat(clean(entry("core", "example.com/v1alpha1"), own)).contains(List.of(own));
    }

    @Test
    void theLastEntry_leavesOneThatOwnsTheNameAlone() {
        assertThat(clean(entry("core", "example.com/v1alpha1")))
                .get(InstanceOfAssertFactories.list(Object.class))
                .singleElement(InstanceOfAssertFactories.map(String.class, Object.class))
                .containsEntry("manager", "capoa")
                .containsEntry("operation", "Apply")
                .containsEntry("apiVersion", STORED)
                .containsEntry("fieldsV1", Map.of("f:metadata", Map.of("f:name", Map.of())));
    }

    private static Optional<List<Object>> clean(ManagedFieldsEntry... entries) {
        ObjectMeta metadata = new ObjectMetaBuilder()
                .withCreationTimestamp("2026-01-02T03:04:05Z")
                .withManagedFields(entries)
                .build();
        return ManagedFieldsCleanup.of(metadata, SERVED, STORED, "capoa");
    }

    private static ManagedFieldsEntry entry(String manager, String apiVersion) {
        return new ManagedFieldsEntryBuilder()
                .withManager(manager)
                .withOperation("Update")
                .withApiVersion(apiVersion)
                .build();
    }
}
