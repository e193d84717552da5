package io.capoa.controlplane.install;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.ClusterImageSet;
import io.capoa.api.contract.Fields;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.controlplane.testing.Objects;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Name, owner and content of the ClusterImageSet. */
class ImageSetTest {

    private static final ControlPlaneIdentity IDENTITY = Objects.identity();
    private static final String OWN = ImageSet.name(IDENTITY);

    @Test
    void theName_distinguishesNamespaces() {
        ControlPlaneIdentity elsewhere = Objects.identity();
        elsewhere.controlPlane().getMetadata().setNamespace("other");
        assertThat(OWN).startsWith("ns-cp-");
        assertThat(ImageSet.name(elsewhere)).isNotEqualTo(OWN).startsWith("other-cp-");
    }

    @Test
    void aReferencedOneWithThePlainName_isReadOnly_untilAnAdministratorHandsItOver() {
        assertThat(ImageSet.nameInUse(IDENTITY, install("cp"))).isEqualTo("cp");
        assertThat(ImageSet.isWritable(IDENTITY, "cp", imageSet("cp", "{}"))).isFalse();
        assertThat(ImageSet.isWritable(IDENTITY, "cp", null)).isFalse();

        ClusterImageSet handedOver = imageSet("cp", "{controlplane.cluster.x-k8s.io/owner: ns/cp}");
        assertThat(ImageSet.isWritable(IDENTITY, "cp", handedOver)).isTrue();
        assertThat(ImageSet.isWrittenBy(IDENTITY, handedOver)).isFalse();
    }

    @Test
    void anUnownedOneWithTheOwnName_isReadOnly() {
        assertThat(ImageSet.isWritable(IDENTITY, OWN, imageSet(OWN, "{}"))).isFalse();
        assertThat(ImageSet.isWrittenBy(IDENTITY, imageSet(OWN, "{}"))).isFalse();
    }

    @Test
    void theOwnersUid_isWritten_andAnotherOnesProvesNothing() {
        ResolvedRelease release = new ResolvedRelease("q.io/r:4.20.3-multi", "q.io/r@sha256:1", "1.33.5", "4.20.3", "");
        ClusterImageSet own = ImageSet.desired(IDENTITY, OWN, release);
        assertThat(ImageSet.isWrittenBy(IDENTITY, own)).isTrue();
        own.getMetadata().getAnnotations().put(ImageSet.OWNER_UID, "before");
        assertThat(ImageSet.isWrittenBy(IDENTITY, own)).isFalse();
        assertThat(ImageSet.isWritable(IDENTITY, OWN, own)).isTrue();
    }

    @Test
    void oneOfAnotherControlPlane_isUsedButNotWritten_becauseTheReferenceIsImmutable() {
        ClusterImageSet others = imageSet("cp", "{controlplane.cluster.x-k8s.io/owner: other/cp}");
        assertThat(ImageSet.nameInUse(IDENTITY, install("cp"))).isEqualTo("cp");
        assertThat(ImageSet.isWritable(IDENTITY, "cp", others)).isFalse();
    }

    @Test
    void aUsersClusterImageSet_isNeverWritten() {
        assertThat(ImageSet.nameInUse(IDENTITY, install("img4.20"))).isEqualTo("img4.20");
        assertThat(ImageSet.isWritable(IDENTITY, "img4.20", imageSet("img4.20", "{}")))
                .isFalse();
        assertThat(ImageSet.isWritable(IDENTITY, "img4.20", null)).isFalse();
    }

    @Test
    void withoutAnInstallation_theNameIsDerived() {
        assertThat(ImageSet.nameInUse(IDENTITY, null)).isEqualTo(OWN);
        assertThat(ImageSet.isWritable(IDENTITY, OWN, null)).isTrue();
    }

    @Test
    void theImageIsByDigest_andTheRegistrysAnswerIsStored() {
        ResolvedRelease release =
                new ResolvedRelease("q.io/r:4.20.3-multi", "q.io/r@sha256:1", "1.33.5", "4.20.3", "m");
        ClusterImageSet desired = ImageSet.desired(IDENTITY, "cp", release);
        assertThat(desired.getMetadata().getName()).isEqualTo("cp");
        assertThat(Fields.map(desired, "spec")).isEqualTo(Map.of("releaseImage", "q.io/r@sha256:1"));
        assertThat(ImageSet.storedFor(IDENTITY, desired)).isEqualTo(release);
        assertThat(ImageSet.stored(imageSet("cp", "{}"))).isEmpty();
    }

    private static ClusterImageSet imageSet(String name, String annotations) {
        ClusterImageSet imageSet = Objects.read(
                ClusterImageSet.class,
                "metadata: {name: %s, annotations: %s}\nspec: {releaseImage: 'q.io/r:4.20.3-multi'}"
                        .formatted(name, annotations));
        imageSet.getMetadata().setNamespace(null);
        return imageSet;
    }

    private static AgentClusterInstall install(String imageSet) {
        return Objects.read(
                AgentClusterInstall.class, "metadata: {name: cp}\nspec: {imageSetRef: {name: %s}}".formatted(imageSet));
    }
}
