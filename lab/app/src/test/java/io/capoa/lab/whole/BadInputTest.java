package io.capoa.lab.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.capoa.api.conditions.Condition;
import io.capoa.api.controlplane.v1beta1.ControlPlaneConditions;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Missing or invalid input is named in a condition; the user only has to correct it. */
@Tag("full")
@Tag("whole")
@SideBySide
@ExtendWith(WholeLab.Shared.class)
class BadInputTest {

    @Test
    void aMissingPullSecret_isNamed_andRecoversWhenItAppears(WholeLab lab) {
        String namespace = lab.namespace(1);
        lab.apply(
                namespace,
                text -> WholeLab.singleNode(text).replace("  name: pull-secret\ntype:", "  name: other\ntype:"));

        Condition shown = shown(lab, namespace, c -> c.message().contains("pull-secret"));
        assertThat(shown.reason()).isEqualTo(ControlPlaneConditions.PULL_SECRET_NOT_FOUND);

        var other =
                lab.admin().secrets().inNamespace(namespace).withName("other").require();
        lab.admin()
                .resource(new SecretBuilder()
                        .withNewMetadata()
                        .withName("pull-secret")
                        .withNamespace(namespace)
                        .endMetadata()
                        .withType(other.getType())
                        .withData(other.getData())
                        .build())
                .create();
        lab.awaitReady(namespace);
    }

    @Test
    void withoutAFreeHost_theControlPlaneQuotesMetal3_andGoesOnWhenThereIsOne(WholeLab lab) {
        String namespace = lab.namespace(0);
        lab.apply(namespace, WholeLab::singleNode);

        Condition shown = shown(
                lab, namespace, c -> c.type().equals("Available") && c.message().contains("no available host found"));
        assertThat(shown.message())
                .startsWith("the installation has not started: ")
                .contains("Machine multinode-", "has no BareMetalHost", "Free or add one");

        lab.peers().rack(namespace, 1);
        lab.awaitReady(namespace);
    }

    @Test
    void anUnknownInfrastructureTemplate_isNamed_andRecoversWhenItAppears(WholeLab lab) {
        String namespace = lab.namespace(1);
        lab.apply(
                namespace,
                text -> WholeLab.singleNode(text)
                        .replace("metadata:\n  name: multinode-controlplane", "metadata:\n  name: misspelt"));

        Condition shown = shown(
                lab, namespace, c -> c.reason().equals(ControlPlaneConditions.INFRASTRUCTURE_TEMPLATE_CLONING_FAILED));
        assertThat(shown.message()).contains("Metal3MachineTemplate").contains("multinode-controlplane");

        var template = lab.admin()
                .genericKubernetesResources("infrastructure.cluster.x-k8s.io/v1beta2", "Metal3MachineTemplate")
                .inNamespace(namespace)
                .withName("misspelt")
                .require();
        GenericKubernetesResource right = new GenericKubernetesResource();
        right.setApiVersion(template.getApiVersion());
        right.setKind(template.getKind());
        right.setMetadata(new io.fabric8.kubernetes.api.model.ObjectMetaBuilder()
                .withName("multinode-controlplane")
                .withNamespace(namespace)
                .build());
        right.setAdditionalProperty("spec", template.get("spec"));
        lab.admin().resource(right).create();
        lab.awaitReady(namespace);
    }

    @Test
    @ResourceLock(WholeLab.PARTS)
    void anUnreachableRegistry_isNamed_andRecoversWhenItAnswers(WholeLab lab) {
        String namespace = lab.namespace(1);
        // A version that the manager has not cached in another test.
        lab.peers().registry().faults().down(true);
        try {
            lab.apply(namespace, text -> WholeLab.singleNode(text).replace("4.20.3", "4.20.77"));

            Condition shown = shown(lab, namespace, c -> c.message().contains("4.20.77"));
            assertThat(shown.status()).isEqualTo(Condition.FALSE);
            assertThat(shown.message()).contains("quay.io/openshift-release-dev/ocp-release:4.20.77");
        } finally {
            lab.peers().registry().faults().down(false);
        }
        lab.awaitReady(namespace);
    }

    private static Condition shown(WholeLab lab, String namespace, Predicate<Condition> wanted) {
        return await().atMost(WholeLab.SOON)
                .until(
                        () -> conditions(lab, namespace).stream()
                                .filter(c -> !c.status().equals(Condition.TRUE))
                                .filter(wanted)
                                .findFirst()
                                .orElse(null),
                        Objects::nonNull);
    }

    private static List<Condition> conditions(WholeLab lab, String namespace) {
        var status = lab.controlPlane(namespace).getStatus();
        return status == null || status.conditions() == null ? List.of() : status.conditions();
    }
}
