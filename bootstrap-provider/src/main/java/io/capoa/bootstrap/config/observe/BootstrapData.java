package io.capoa.bootstrap.config.observe;

import io.capoa.api.Labels;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The bootstrap data Secret (Cluster API bootstrap contract, "bootstrap data secret"), named like its config. */
public final class BootstrapData {

    /** Annotation: fingerprint of the address that the data was made from, token included, which it gives not away. */
    static final String MEDIA_DIGEST = "bootstrap.cluster.x-k8s.io/boot-media-digest";

    private BootstrapData() {}

    /** The Secret to create; without data where the host boots an ISO that holds everything. */
    public static Secret secret(
            OpenshiftAssistedConfig config, String clusterName, byte[] ignition, @Nullable String mediaDigest) {
        return new SecretBuilder()
                .withNewMetadata()
                .withNamespace(config.getMetadata().getNamespace())
                .withName(config.getMetadata().getName())
                .addToLabels(Labels.CLUSTER_NAME, clusterName)
                .addToLabels(Labels.CONFIG_NAME, config.getMetadata().getName())
                .addToAnnotations(mediaDigest == null ? Map.of() : Map.of(MEDIA_DIGEST, mediaDigest))
                .withOwnerReferences(new OwnerReferenceBuilder()
                        .withApiVersion(config.getApiVersion())
                        .withKind(config.getKind())
                        .withName(config.getMetadata().getName())
                        .withUid(config.getMetadata().getUid())
                        .withController(true)
                        .build())
                .endMetadata()
                .withType("cluster.x-k8s.io/secret")
                .addToData("value", Base64.getEncoder().encodeToString(ignition))
                .addToData("format", Base64.getEncoder().encodeToString("ignition".getBytes(StandardCharsets.UTF_8)))
                .build();
    }

    /** What to merge into a Secret whose data is outdated. */
    public static Map<String, Object> renewal(Secret renewed) {
        return Map.of(
                "metadata",
                Map.of("annotations", renewed.getMetadata().getAnnotations()),
                "data",
                Map.of("value", renewed.getData().get("value")));
    }

    /** Whether the Secret is found by its label; those of the Go provider are not, until they get it. */
    public static boolean isLabelled(HasMetadata secret) {
        Map<String, String> labels = secret.getMetadata().getLabels();
        return labels != null && labels.containsKey(Labels.CONFIG_NAME);
    }

    /** What to merge into a Secret that is the config's own and has data, but not our labels. */
    public static Map<String, Object> labels(Secret made) {
        return Map.of("metadata", Map.of("labels", made.getMetadata().getLabels()));
    }

    public static @Nullable String mediaDigest(Secret secret) {
        Map<String, String> annotations = secret.getMetadata().getAnnotations();
        return annotations == null ? null : annotations.get(MEDIA_DIGEST);
    }

    /** Whether the Secret is this config's own; the Go provider's owner reference is no controller's, and counts too. */
    public static boolean belongsTo(HasMetadata secret, OpenshiftAssistedConfig config) {
        return secret.getMetadata().getOwnerReferences().stream()
                .anyMatch(owner ->
                        Objects.equals(owner.getUid(), config.getMetadata().getUid()));
    }
}
