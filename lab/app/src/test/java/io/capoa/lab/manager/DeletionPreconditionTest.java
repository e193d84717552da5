package io.capoa.lab.manager;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import io.capoa.runtime.write.Applier;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A delete affects only the object that was read, not a later one of the same name. */
@Tag("full")
@ExtendWith(SharedCluster.class)
class DeletionPreconditionTest {

    private KubernetesClient admin;
    private Applier applier;
    private String namespace;

    @BeforeEach
    void start(TestCluster cluster) {
        admin = cluster.admin();
        applier = new Applier(admin, "capoa-test");
        namespace = admin.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withGenerateName("deletion-")
                        .endMetadata()
                        .build())
                .create()
                .getMetadata()
                .getName();
    }

    @AfterEach
    void stop() {
        admin.namespaces().withName(namespace).delete();
    }

    @Test
    void theObjectThatWasRead_isDeleted_onceMoreIsNoFailure() {
        ConfigMap read = create("one");

        applier.delete(read);
        applier.delete(read);

        assertThat(stored("one")).isNull();
    }

    @Test
    void aSuccessorOfTheSameName_staysUntouched() {
        ConfigMap read = create("one");
        admin.resource(read).delete();
        ConfigMap successor = create("one");

        applier.delete(read);

        assertThat(stored("one"))
                .isNotNull()
                .satisfies(left -> assertThat(left.getMetadata().getUid())
                        .isEqualTo(successor.getMetadata().getUid()));
    }

    @Test
    void anObjectThatHasChanged_isNotDeletedByADecisionOnItsContent() {
        ConfigMap read = create("one");
        ConfigMap changed = admin.resource(
                        new ConfigMapBuilder(read).addToData("key", "changed").build())
                .update();

        assertThat(applier.deleteIfUnchanged(read)).isFalse();
        assertThat(stored("one")).isNotNull();
        assertThat(applier.deleteIfUnchanged(changed)).isTrue();
        assertThat(stored("one")).isNull();
    }

    private ConfigMap create(String name) {
        return admin.resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace)
                        .withName(name)
                        .endMetadata()
                        .build())
                .create();
    }

    private ConfigMap stored(String name) {
        return admin.configMaps().inNamespace(namespace).withName(name).get();
    }
}
