package io.capoa.controlplane.kubeconfig;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.controlplane.testing.Objects;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Which kubeconfigs in the copy are the user's. */
class KubeconfigSecretTest {

    private static final ControlPlaneIdentity IDENTITY = Objects.identity();
    private static final String SOURCE = "b2xk";
    private static final String RENEWED = "bmV3";
    private static final String MINE = "bWluZQ==";

    private static final Secret COPY = KubeconfigSecret.desired(IDENTITY, SOURCE, null);

    private static Secret with(Secret secret, String content) {
        return new SecretBuilder(secret).withData(Map.of("value", content)).build();
    }

    private static boolean isReplaced(Secret copy, String source) {
        return KubeconfigSecret.isReplaced(IDENTITY, copy, source, true);
    }

    @Test
    void anotherKubeconfigInTheCopy_isTheUsers_untilTheSourceChanges() {
        assertThat(isReplaced(COPY, SOURCE)).isFalse();
        assertThat(isReplaced(with(COPY, MINE), SOURCE)).isTrue();
        assertThat(isReplaced(with(COPY, MINE), RENEWED)).isFalse();
        assertThat(isReplaced(COPY, RENEWED)).isFalse();
    }

    /** As when both Secrets are repaired, the copy first. */
    @Test
    void theSourcesKubeconfig_isACopy_whoeverWroteIt() {
        assertThat(isReplaced(with(COPY, RENEWED), RENEWED)).isFalse();
        Secret again = KubeconfigSecret.desired(IDENTITY, RENEWED, with(COPY, RENEWED));
        assertThat(isReplaced(with(again, MINE), RENEWED)).isTrue();
    }

    @Test
    void keptOnes_areTheUsersAtTheNextReconcile_andAfterAMoveWithoutItsSource() {
        Secret kept = KubeconfigSecret.kept(IDENTITY, MINE, SOURCE, with(COPY, MINE));
        assertThat(isReplaced(kept, SOURCE)).isTrue();
        Secret moved = KubeconfigSecret.kept(IDENTITY, MINE, null, kept);
        assertThat(isReplaced(moved, SOURCE)).isTrue();
        assertThat(KubeconfigSecret.copied(moved)).isEqualTo(MINE);
    }

    /** The Go provider copies the first kubeconfig and never the final one. */
    @Test
    void aSecretOfAnEarlierVersionOrOfTheGoProvider_isACopy() {
        Secret earlier = new SecretBuilder(with(COPY, MINE))
                .editMetadata()
                .withAnnotations(Map.of())
                .endMetadata()
                .build();
        assertThat(isReplaced(earlier, SOURCE)).isFalse();
    }

    /** {@code kubectl replace} drops annotations and owners. */
    @Test
    void aSecretThatWasReplacedAsAWhole_isTheUsers_ifThereWasOneBefore() {
        Secret replaced = new SecretBuilder(with(COPY, MINE))
                .editMetadata()
                .withAnnotations(Map.of())
                .withOwnerReferences(List.of())
                .endMetadata()
                .build();
        assertThat(isReplaced(replaced, SOURCE)).isTrue();
        assertThat(KubeconfigSecret.isReplaced(IDENTITY, replaced, SOURCE, false))
                .as("left over from an earlier cluster")
                .isFalse();
        Secret kept = KubeconfigSecret.kept(IDENTITY, MINE, SOURCE, replaced);
        assertThat(IDENTITY.controls(kept)).isTrue();
        assertThat(isReplaced(kept, SOURCE)).isTrue();
    }

    @Test
    void nothing_orTooMuch_isNoKubeconfig() {
        assertThat(KubeconfigSecret.copied(with(COPY, ""))).isNull();
        assertThat(KubeconfigSecret.copied(with(COPY, "x".repeat(300_000)))).isNull();
        assertThat(KubeconfigSecret.copied(
                        new SecretBuilder(COPY).withData(null).build()))
                .isNull();
    }
}
