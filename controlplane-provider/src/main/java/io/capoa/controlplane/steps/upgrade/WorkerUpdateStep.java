package io.capoa.controlplane.steps.upgrade;

import io.capoa.api.contract.ConditionView;
import io.capoa.api.contract.ExtensionConfig;
import io.capoa.api.contract.Fields;
import io.capoa.controlplane.observe.ControlPlaneObservation;
import io.capoa.controlplane.upgrade.WorkerUpdates;
import io.capoa.controlplane.upgrade.WorkerUpdates.Extension;
import io.capoa.controlplane.upgrade.WorkerUpdates.Pending;
import io.capoa.runtime.status.Blocker;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds out what a change of a worker MachineDeployment's version does. ExtensionConfigs are listed only while one differs
 * from the cluster's version, at most every ten seconds for all control planes together.
 */
public final class WorkerUpdateStep {

    private static final String HOOK = "CanUpdateMachineSet";
    private static final String NAMESPACE_NAME = "kubernetes.io/metadata.name";
    private static final Duration FRESH = Duration.ofSeconds(10);

    /** ExtensionConfigs as they were listed; {@code null} if the list was refused. */
    private record Listed(@Nullable List<ExtensionConfig> configs, Instant at) {}

    private final KubernetesClient client;
    private final Clock clock;
    private volatile @Nullable Listed known;

    public WorkerUpdateStep(KubernetesClient client, Clock clock) {
        this.client = client;
        this.clock = clock;
    }

    /** What is to be done or waited for; empty before the installation is complete, and while all versions agree. */
    public Optional<Blocker> apply(ControlPlaneObservation observation) {
        if (!observation.installed()) {
            return Optional.empty();
        }
        List<Pending> pending = WorkerUpdates.pending(observation.machines(), observation.workers());
        return pending.isEmpty()
                ? Optional.empty()
                : WorkerUpdates.blocker(
                        pending, extension(observation.identity().namespace()));
    }

    private Extension extension(String namespace) {
        Listed last = known;
        Instant now = clock.instant();
        if (last == null || last.at.plus(FRESH).isBefore(now)) {
            last = new Listed(read(), now);
            known = last;
        }
        return last.configs == null ? Extension.UNKNOWN : extension(last.configs, namespace);
    }

    static Extension extension(List<ExtensionConfig> configs, String namespace) {
        List<ExtensionConfig> here = configs.stream()
                .filter(config -> isCalledFor(config, namespace))
                .toList();
        if (here.stream().anyMatch(WorkerUpdateStep::handlesUpdates)) {
            return Extension.READY;
        }
        return here.stream().anyMatch(config -> !ConditionView.isTrue(config, "Discovered"))
                ? Extension.NOT_DISCOVERED
                : Extension.ABSENT;
    }

    /** None where Cluster API has no runtime extensions. */
    private @Nullable List<ExtensionConfig> read() {
        try {
            return client.resources(ExtensionConfig.class).list().getItems();
        } catch (KubernetesClientException e) {
            return e.getCode() == HttpURLConnection.HTTP_NOT_FOUND ? List.of() : null;
        }
    }

    /** Of a selector only the namespace's name is judged; its other labels are not read, and taken to match. */
    private static boolean isCalledFor(ExtensionConfig config, String namespace) {
        String name = Fields.string(config, "spec", "namespaceSelector", "matchLabels", NAMESPACE_NAME);
        return (name == null || name.equals(namespace))
                && Fields.list(config, "spec", "namespaceSelector", "matchExpressions").stream()
                        .filter(expression -> NAMESPACE_NAME.equals(Fields.text(expression, "key")))
                        .allMatch(expression -> holds(expression, namespace));
    }

    private static boolean holds(Object expression, String namespace) {
        boolean listed = Fields.list(expression, "values").contains(namespace);
        return switch (Fields.text(expression, "operator")) {
            case "In" -> listed;
            case "NotIn" -> !listed;
            default -> true;
        };
    }

    private static boolean handlesUpdates(ExtensionConfig config) {
        return Fields.list(config, "status", "handlers").stream()
                .anyMatch(handler -> HOOK.equals(Fields.text(handler, "requestHook", "hook")));
    }
}
