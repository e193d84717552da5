package io.capoa.controlplane.controlplane;

import io.capoa.api.bootstrap.v1beta1.ConfigConditions;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.conditions.Condition;
import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.AgentClusterInstallView;
import io.capoa.api.controlplane.v1beta1.ControlPlaneConditions;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What assisted-service refused: the AgentClusterInstall, or InfraEnvs of Machines. It does not try again until the object
 * changes, so that no host reports before it is corrected.
 *
 * @param reason of the conditions that show it
 * @param message names the object, the message of assisted-service, and the remedy
 */
record Rejection(String reason, String message) {

    /** What is refused and in the way; an installation that has started goes on without a host that comes later. */
    static Optional<Rejection> of(ControlPlaneObservation observation) {
        return ofInstall(observation.install())
                .or(() -> observation.installState().started() ? Optional.empty() : ofHosts(observation.configs()));
    }

    private static Optional<Rejection> ofInstall(@Nullable AgentClusterInstall install) {
        AgentClusterInstallView view = AgentClusterInstallView.of(install);
        return view.specSynced()
                .filter(synced -> !synced.isTrue() && synced.reason().equals("InputError"))
                .map(synced -> new Rejection(
                        ControlPlaneConditions.INSTALL_SPEC_REJECTED,
                        "assisted-service refuses AgentClusterInstall %s: %s; correct spec.config"
                                .formatted(view.object().getMetadata().getName(), synced.message())));
    }

    private static Optional<Rejection> ofHosts(List<OpenshiftAssistedConfig> configs) {
        List<OpenshiftAssistedConfig> refused = configs.stream()
                .filter(config -> refusal(config).isPresent())
                .sorted(Comparator.comparing(config -> config.getMetadata().getName()))
                .toList();
        return refused.stream()
                .findFirst()
                .flatMap(first -> refusal(first)
                        .map(message -> new Rejection(
                                ConfigConditions.IMAGE_CREATION_FAILED,
                                "assisted-service makes no boot media for OpenshiftAssistedConfig %s%s: %s"
                                        .formatted(
                                                first.getMetadata().getName(),
                                                refused.size() == 1 ? "" : " and %d more".formatted(refused.size() - 1),
                                                message))));
    }

    private static Optional<String> refusal(OpenshiftAssistedConfig config) {
        List<Condition> conditions =
                config.getStatus() == null ? null : config.getStatus().conditions();
        return conditions == null
                ? Optional.empty()
                : conditions.stream()
                        .filter(condition -> condition.type().equals(ConfigConditions.INFRA_ENV_READY)
                                && Objects.equals(condition.reason(), ConfigConditions.IMAGE_CREATION_FAILED))
                        .map(Condition::message)
                        .findFirst();
    }
}
