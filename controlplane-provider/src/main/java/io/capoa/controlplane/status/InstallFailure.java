package io.capoa.controlplane.status;

import io.capoa.api.Annotations;
import io.capoa.api.bootstrap.v1beta1.ConfigConditions;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.conditions.Condition;
import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.controlplane.observe.ControlPlaneObservation;
import io.capoa.runtime.assisted.FailedValidation;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Says why an installation has failed or does not begin: the service's words, the hosts, the checks. */
public final class InstallFailure {

    /** Checks that only say that hosts are still missing, which other conditions show. */
    private static final Set<String> ABOUT_HOSTS = Set.of("all-hosts-are-ready-to-install", "sufficient-masters-count");

    private InstallFailure() {}

    /** For a failed installation, with what to do about it. */
    static String message(ControlPlaneObservation observation) {
        Stream<String> checks = validations(observation.install()).stream().map(check -> "\n* " + check);
        return words(observation)
                + String.join("", checks.toList())
                + "\nTo try again, correct the cause and set annotation " + Annotations.RETRY_INSTALL
                + " to a new value";
    }

    /** What assisted-service says of it, and of the hosts on which it failed, a line each. */
    static String words(ControlPlaneObservation observation) {
        Stream<String> hosts = observation.configs().stream()
                .flatMap(config -> failed(config).stream())
                .map(line -> "\n* " + line);
        return observation.installState().failure() + String.join("", hosts.toList());
    }

    /** Checks of the cluster that fail; host counts apart. */
    public static List<FailedValidation> validations(@Nullable AgentClusterInstall install) {
        return install == null
                ? List.of()
                : FailedValidation.of(install).stream()
                        .filter(check -> !ABOUT_HOSTS.contains(check.id()))
                        .toList();
    }

    private static List<String> failed(OpenshiftAssistedConfig config) {
        List<Condition> conditions =
                config.getStatus() == null ? null : config.getStatus().conditions();
        return conditions == null
                ? List.of()
                : conditions.stream()
                        .filter(condition -> condition.type().equals(ConfigConditions.INSTALLED)
                                && Objects.equals(condition.reason(), ConfigConditions.INSTALLATION_FAILED))
                        .map(condition -> "OpenshiftAssistedConfig "
                                + config.getMetadata().getName() + ": " + condition.message())
                        .toList();
    }
}
