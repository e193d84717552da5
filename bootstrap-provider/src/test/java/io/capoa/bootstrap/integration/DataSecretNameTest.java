package io.capoa.bootstrap.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A Secret with the config's name exists already: from the Go provider, or from a user. */
@ExtendWith(Scenes.class)
@Execution(ExecutionMode.CONCURRENT)
class DataSecretNameTest {

    @Test
    void thatOfTheGoProvider_keepsItsData_andGetsTheLabelsOfTheContract(ConfigScene scene) {
        scene.ready();
        var config = scene.config("m1-config", "", "  []", "{}");
        Secret made =
                scene.create(Secret.class, """
                    apiVersion: v1
                    kind: Secret
                    metadata:
                      name: m1-config
                      ownerReferences: [{apiVersion: bootstrap.cluster.x-k8s.io/v1alpha2, kind: OpenshiftAssistedConfig, name: m1-config, uid: %s}]
                    type: cluster.x-k8s.io/secret
                    stringData: {value: '{"ignition":{"version":"3.1.0"},"old":1}', format: ignition}
                    """.formatted(config.getMetadata().getUid()));
        scene.adopt("m1");
        scene.awaitInfraEnv("m1");
        scene.publishBootMedia("m1");

        scene.awaitCondition("m1", "DataSecretAvailable", "True/DataSecretAvailable");
        Secret kept = Objects.requireNonNull(scene.secret("m1-config"));
        assertThat(kept.getData()).isEqualTo(made.getData());
        assertThat(kept.getMetadata().getLabels())
                .containsEntry("cluster.x-k8s.io/cluster-name", "demo")
                .containsEntry("bootstrap.cluster.x-k8s.io/openshiftAssistedConfig", "m1-config");
        scene.provider.awaitRest();
        int writes = scene.provider.writes("secrets", "").size();
        scene.edit(
                OpenshiftAssistedConfig.class,
                "m1-config",
                touched -> touched.getMetadata().setAnnotations(Map.of("touched", "once")));
        scene.provider.awaitRest();
        assertThat(scene.provider.writes("secrets", "")).hasSize(writes);
    }

    @Test
    void thatOfAUser_isNotChanged_andReported_untilItIsDeleted(ConfigScene scene) {
        Secret made = scene.create(Secret.class, """
            apiVersion: v1
            kind: Secret
            metadata: {name: m1-config}
            stringData: {value: theirs}
            """);
        scene.ready().machine("m1", "{}").awaitInfraEnv("m1");
        scene.publishBootMedia("m1");

        scene.awaitCondition("m1", "DataSecretAvailable", "False/SecretConflict");
        assertThat(scene.message("m1", "Ready")).contains("m1-config", "delete it");
        assertThat(Objects.requireNonNull(scene.secret("m1-config"))
                        .getMetadata()
                        .getResourceVersion())
                .isEqualTo(made.getMetadata().getResourceVersion());
        // No polling: only a watch can notice the deletion.
        scene.provider.awaitRest();

        scene.delete(Secret.class, "m1-config");

        scene.awaitCondition("m1", "DataSecretAvailable", "True/DataSecretAvailable");
    }
}
