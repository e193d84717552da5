package io.capoa.controlplane.status;

import io.capoa.api.bootstrap.v1beta1.ConfigConditions;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.conditions.Condition;
import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.AgentClusterInstallView;
import io.capoa.api.controlplane.v1beta1.ControlPlaneConditions;
import io.capoa.controlplane.observe.ControlPlaneObservation;
import io.capoa.runtime.status.Blocker;
import io.capoa.runtime.status.ReportedConditions;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Finds objects that assisted-service rejected: the AgentClusterInstall, or InfraEnvs of Machines. It does not retry until
 * the object changes, so no host registers before that.
 */
final class Rejection {

    private Rejection() {}

    /** The rejection that blocks the installation; a started installation continues without a rejected host. */
    static Optional<Blocker> of(ControlPlaneObservation observation) {
        return ofInstall(observation.install())
                .or(() -> observation.installState().started() ? Optional.empty() : ofHosts(observation.configs()));
    }

    private static Optional<Blocker> ofInstall(@Nullable AgentClusterInstall install) {
        AgentClusterInstallView view = AgentClusterInstallView.of(install);
        return view.refusal()
                .map(refusal -> new Blocker(
                        ControlPlaneConditions.INSTALL_SPEC_REJECTED,
                        "assisted-service rejects AgentClusterInstall %s: %s; %s"
                                .formatted(
                                        view.object().getMetadata().getName(), refusal.message(), refusal.remedy())));
    }

    private static Optional<Blocker> ofHosts(List<OpenshiftAssistedConfig> configs) {
        List<OpenshiftAssistedConfig> refused = configs.stream()
                .filter(config -> refusal(config).isPresent())
                .sorted(Comparator.comparing(config -> config.getMetadata().getName()))
                .toList();
        return refused.stream()
                .findFirst()
                .flatMap(first -> refusal(first)
                        .map(message -> new Blocker(
                                ControlPlaneConditions.IMAGE_CREATION_FAILED,
                                "assisted-service creates no boot media for OpenshiftAssistedConfig %s%s: %s"
                                        .formatted(
                                                first.getMetadata().getName(),
                                                refused.size() == 1 ? "" : " and %d more".formatted(refused.size() - 1),
                                                message))));
    }

    private static Optional<String> refusal(OpenshiftAssistedConfig config) {
        return ReportedConditions.in(config.getStatus())
                .get(ConfigConditions.INFRA_ENV_READY)
                .filter(condition -> Objects.equals(condition.reason(), ConfigConditions.IMAGE_CREATION_FAILED))
                .map(Condition::message);
    }
}
