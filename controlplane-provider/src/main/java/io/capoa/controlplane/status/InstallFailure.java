package io.capoa.controlplane.status;

import io.capoa.api.Annotations;
import io.capoa.api.bootstrap.v1beta1.ConfigConditions;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.controlplane.observe.ControlPlaneObservation;
import io.capoa.runtime.assisted.FailedValidation;
import io.capoa.runtime.status.ReportedConditions;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Messages for an installation that failed or cannot start: assisted-service's message, failed hosts, failing
 * validations.
 */
public final class InstallFailure {

    /** Validations that only say that hosts are missing, which other conditions report. */
    private static final Set<String> ABOUT_HOSTS = Set.of("all-hosts-are-ready-to-install", "sufficient-masters-count");

    private InstallFailure() {}

    /** Message for a failed installation, with the next step. */
    static String message(ControlPlaneObservation observation) {
        Stream<String> checks = validations(observation.install()).stream().map(check -> "\n* " + check);
        return summary(observation)
                + String.join("", checks.toList())
                + "\nTo try again, correct the cause and set annotation " + Annotations.RETRY_INSTALL
                + " to a new value";
    }

    /** The message of assisted-service, and a line for each failed host. */
    static String summary(ControlPlaneObservation observation) {
        Stream<String> hosts = observation.configs().stream()
                .flatMap(config -> failed(config).stream())
                .map(line -> "\n* " + line);
        return observation.installState().failure() + String.join("", hosts.toList());
    }

    /** Failing cluster validations, without those about host counts. */
    public static List<FailedValidation> validations(@Nullable AgentClusterInstall install) {
        return install == null
                ? List.of()
                : FailedValidation.of(install).stream()
                        .filter(check -> !ABOUT_HOSTS.contains(check.id()))
                        .toList();
    }

    private static List<String> failed(OpenshiftAssistedConfig config) {
        return ReportedConditions.in(config.getStatus()).get(ConfigConditions.INSTALLED).stream()
                .filter(condition -> Objects.equals(condition.reason(), ConfigConditions.INSTALLATION_FAILED))
                .map(condition ->
                        "OpenshiftAssistedConfig " + config.getMetadata().getName() + ": " + condition.message())
                .toList();
    }
}
