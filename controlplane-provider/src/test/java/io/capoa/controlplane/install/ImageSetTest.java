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
    void aReferencedOneWithThePlainName_isAdopted() {
        ClusterImageSet plain = imageSet("cp", "{}");
        assertThat(ImageSet.nameInUse(IDENTITY, install("cp", ""), plain)).isEqualTo("cp");
        assertThat(ImageSet.isWritable(IDENTITY, "cp", plain)).isTrue();
    }

    @Test
    void oneOfAnotherControlPlane_isNotAdopted_butARunningInstallationKeepsIt() {
        ClusterImageSet others = imageSet("cp", "{controlplane.cluster.x-k8s.io/owner: other/cp}");
        assertThat(ImageSet.nameInUse(IDENTITY, install("cp", ""), others)).isEqualTo(OWN);
        assertThat(ImageSet.nameInUse(IDENTITY, install("cp", "installing"), others))
                .isEqualTo("cp");
        assertThat(ImageSet.isWritable(IDENTITY, "cp", others)).isFalse();
    }

    @Test
    void aUsersClusterImageSet_isNeverWritten() {
        ClusterImageSet shared = imageSet("img4.20", "{}");
        assertThat(ImageSet.nameInUse(IDENTITY, install("img4.20", "ready"), shared))
                .isEqualTo(OWN);
        assertThat(ImageSet.nameInUse(IDENTITY, install("img4.20", "adding-hosts"), shared))
                .isEqualTo("img4.20");
        assertThat(ImageSet.isWritable(IDENTITY, "img4.20", shared)).isFalse();
    }

    @Test
    void aDeletedOne_isRecreatedUnderTheDerivedName() {
        assertThat(ImageSet.nameInUse(IDENTITY, install("cp", ""), null)).isEqualTo(OWN);
        assertThat(ImageSet.nameInUse(IDENTITY, null, null)).isEqualTo(OWN);
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

    private static AgentClusterInstall install(String imageSet, String state) {
        return Objects.read(
                AgentClusterInstall.class,
                "metadata: {name: cp}\nspec: {imageSetRef: {name: %s}}\nstatus: {debugInfo: {state: '%s'}}"
                        .formatted(imageSet, state));
    }
}
