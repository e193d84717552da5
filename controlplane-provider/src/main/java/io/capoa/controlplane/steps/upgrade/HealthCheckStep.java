package io.capoa.controlplane.steps.upgrade;

import io.capoa.api.contract.MachineHealthCheck;
import io.capoa.controlplane.observe.ControlPlaneObservation;
import io.capoa.controlplane.upgrade.HealthCheckPause;
import io.capoa.controlplane.upgrade.HealthCheckPause.Change;
import io.capoa.controlplane.upgrade.HealthCheckPause.Phase;
import io.capoa.controlplane.upgrade.UpgradeOutcome;
import io.capoa.runtime.write.Applier;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pauses the MachineHealthChecks of a Cluster while it is upgraded. They are listed only then, and once after a start of
 * the provider, which may have been stopped before it released them; a watch would hold all of them at any time.
 */
final class HealthCheckStep {

    private static final Logger LOG = LoggerFactory.getLogger(HealthCheckStep.class);

    private final KubernetesClient client;
    private final Applier applier;
    private final Set<ResourceID> released = ConcurrentHashMap.newKeySet();

    HealthCheckStep(KubernetesClient client, Applier applier) {
        this.client = client;
        this.applier = applier;
    }

    void apply(ControlPlaneObservation observation, @Nullable UpgradeOutcome upgrade) {
        Phase phase = HealthCheckPause.phase(upgrade);
        ResourceID id = ResourceID.fromResource(observation.controlPlane());
        if (phase == Phase.PAUSE) {
            released.remove(id);
        }
        if (phase == Phase.KEEP || released.contains(id)) {
            return;
        }
        List<Change> changes = HealthCheckPause.changes(
                phase,
                checks(observation.identity().namespace()),
                observation.identity().clusterName(),
                observation.controlPlane().getMetadata().getName());
        if (changes.stream().map(this::make).toList().stream().allMatch(made -> made) && phase == Phase.RELEASE) {
            released.add(id);
        }
    }

    void forget(ResourceID controlPlane) {
        released.remove(controlPlane);
    }

    /** Whether it was made: a pause that the user sets at the same moment must not be taken for the provider's. */
    private boolean make(Change change) {
        try {
            var unused = applier.patchIfUnchanged(change.check(), change.patch());
            return true;
        } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_CONFLICT && e.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
                throw e;
            }
            LOG.debug(
                    "MachineHealthCheck {} has changed concurrently",
                    change.check().getMetadata().getName());
            return false;
        }
    }

    /** None where Cluster API's kind is not installed. */
    private List<MachineHealthCheck> checks(String namespace) {
        try {
            return client.resources(MachineHealthCheck.class)
                    .inNamespace(namespace)
                    .list()
                    .getItems();
        } catch (KubernetesClientException e) {
            if (e.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
                return List.of();
            }
            throw e;
        }
    }
}
