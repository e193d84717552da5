package io.capoa.runtime.migration;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntryBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class OlderVersionUseTest {

    private final OlderVersionUse use = new OlderVersionUse(plan("v1alpha2", "v1beta1"));

    @Test
    void clientsThatWroteInAnOlderVersion_areNamedOnce() {
        use.add(written(entry("kubectl", "v1alpha2"), entry("capoa", "v1beta1")));
        use.add(written(entry("kubectl", "v1alpha2"), entry("argocd", "v1alpha2")));
        use.add(written(entry("capoa", "v1beta1")));

        assertThat(use.summary())
                .startsWith("2 of 3 objects have fields that clients wrote in another API version than v1beta1:"
                        + " \"argocd\" in \"v1alpha2\", \"kubectl\" in \"v1alpha2\";")
                .contains("docs/older-versions.md");
    }

    @Test
    void withoutSuchAClient_itSaysSo() {
        use.add(written(entry("capoa", "v1beta1")));
        use.add(new ObjectMeta());

        assertThat(use.summary())
                .startsWith("none of 2 objects has fields that a client wrote in another API version than v1beta1;");
    }

    @Test
    void whereTheStorageVersionAloneIsServed_nothingIsLeftToDo() {
        assertThat(new OlderVersionUse(plan("v1beta1")).summary()).endsWith("; no other one is served");
    }

    @Test
    void hostileNames_areQuotedAndFew() {
        for (int i = 0; i < 1000; i++) {
            use.add(written(entry("a\nb" + i, "v1alpha2")));
        }

        assertThat(use.summary()).hasSizeLessThan(1000).doesNotContain("\n").startsWith("1000 of 1000 ");
    }

    private static MigrationPlan plan(String... served) {
        return new MigrationPlan(
                "v1beta1",
                Set.of(served).stream().map(version -> "example.com/" + version).collect(Collectors.toSet()),
                true,
                Set.of());
    }

    private static ObjectMeta written(ManagedFieldsEntry... entries) {
        return new ObjectMetaBuilder().withManagedFields(entries).build();
    }

    private static ManagedFieldsEntry entry(String manager, String version) {
        return new ManagedFieldsEntryBuilder()
                .withManager(manager)
                .withApiVersion("example.com/" + version)
                .build();
    }
}
