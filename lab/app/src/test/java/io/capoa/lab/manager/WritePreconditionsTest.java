package io.capoa.lab.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.capoa.lab.cluster.AuditLog;
import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import io.capoa.runtime.write.Applier;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A write affects only the object that was read, not another one of the same name. */
@Tag("full")
@ExtendWith(SharedCluster.class)
class WritePreconditionsTest {

    private KubernetesClient admin;
    private Applier applier;
    private String namespace;

    @BeforeEach
    void start(TestCluster cluster) {
        admin = cluster.admin();
        applier = new Applier(admin, "capoa-test");
        namespace = admin.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withGenerateName("preconditions-")
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

    @Test
    void whatWouldBeRefused_isNotSent(TestCluster cluster) {
        assumeTrue(cluster.auditLog().isPresent(), "this kind of cluster keeps no audit log that tests can read");
        AuditLog audit = cluster.auditLog().orElseThrow();
        AuditLog.Mark start = audit.mark();
        ConfigMap read = create("one");
        ConfigMap changed = admin.resource(
                        new ConfigMapBuilder(read).addToData("key", "changed").build())
                .update();

        assertThat(applier.deleteIfUnchanged(read)).isFalse();
        assertThat(applier.deleteIfUnchanged(changed)).isTrue();

        assertThat(audit.since(start).stream()
                        .filter(entry -> entry.isWrite() && entry.namespace().equals(namespace))
                        .filter(entry -> entry.resource().equals("configmaps")
                                && entry.name().equals("one"))
                        .map(entry -> entry.verb() + " " + entry.code()))
                .containsExactly("create 201", "update 200", "delete 200");
    }

    @Test
    void anObjectThatTheCacheLacks_isNotOverwritten_norIsAnotherOneThanItHas() {
        ConfigMap others = create("one");
        ConfigMap desired = new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName("one")
                .endMetadata()
                .addToData("key", "ours")
                .build();

        assertRefused(409, () -> applier.apply(desired, null));
        admin.resource(others).delete();
        ConfigMap own = applier.apply(desired, null);
        assertThat(own.getData()).containsEntry("key", "ours");
        desired.setData(Map.of("key", "changed"));
        assertThat(applier.apply(desired, own).getData()).containsEntry("key", "changed");

        admin.resource(own).delete();
        desired.setData(Map.of("key", "again"));
        assertRefused(409, () -> applier.apply(desired, own));
        assertThat(stored("one")).as("not created again by a stale cache").isNull();
        create("one");
        assertRefused(422, () -> applier.apply(desired, own));
        assertThat(stored("one").getData()).isNullOrEmpty();
    }

    @Test
    void aFieldIsSet_whateverElseHasChanged_butNotOnASuccessor() {
        ConfigMap read = create("one");
        admin.resource(new ConfigMapBuilder(read).addToData("other", "changed").build())
                .update();
        Map<String, Object> fragment = Map.of("data", Map.of("key", "ours"));

        assertThat(applier.patch(read, fragment).getData()).containsKeys("key", "other");
        admin.resource(read).delete();
        create("one");
        assertRefused(422, () -> applier.patch(read, fragment));
        assertThat(stored("one").getData()).isNullOrEmpty();
    }

    private static void assertRefused(int code, ThrowingCallable write) {
        assertThatExceptionOfType(KubernetesClientException.class)
                .isThrownBy(write)
                .satisfies(refusal -> assertThat(refusal.getCode()).isEqualTo(code));
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
