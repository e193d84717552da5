package io.capoa.controlplane.status;

import io.capoa.api.Annotations;
import io.capoa.api.bootstrap.v1beta1.ConfigConditions;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.controlplane.install.InstallState;
import io.capoa.controlplane.observe.ControlPlaneObservation;
import io.capoa.runtime.assisted.FailedValidation;
import io.capoa.runtime.status.ReportedConditions;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Messages for an installation that failed or cannot start: assisted-service's message, failed hosts, failing
 * validations.
 */
public final class InstallFailure {

    /** Validations that only say that hosts are missing, which other conditions report. */
    private static final Set<String> ABOUT_HOSTS = Set.of("all-hosts-are-ready-to-install", "sufficient-masters-count");

    /** Failed hosts that a message describes. */
    private static final int NAMED = 3;

    private InstallFailure() {}

    /**
     * What failed, on which hosts, where the logs are, and how to try again: one line, because {@code kubectl get events} ends
     * at the first, and the same in every condition and Event.
     *
     * <p>The URL of the logs is not quoted: assisted-service signs it with a token where it requires authentication, and it
     * appears after the failure, once the logs are collected, which would change the message.
     */
    static String message(ControlPlaneObservation observation) {
        String causes = Stream.of(
                        Stream.of(cause(observation.installState())),
                        hosts(observation.configs()),
                        validations(observation.install()).stream().map(FailedValidation::toString))
                .flatMap(part -> part)
                .map(InstallFailure::line)
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining("; "));
        ObjectMeta controlPlane = observation.controlPlane().getMetadata();
        return "The installation failed: %1$s.%2$s To try again, correct the cause and run: kubectl annotate oacp -n %3$s %4$s %5$s=$(date +%%s) --overwrite"
                .formatted(
                        causes,
                        logs(observation.install()),
                        controlPlane.getNamespace(),
                        controlPlane.getName(),
                        Annotations.RETRY_INSTALL);
    }

    private static String logs(@Nullable AgentClusterInstall install) {
        return install == null
                ? ""
                : " Logs, once collected: status.debugInfo.logsURL of AgentClusterInstall %s."
                        .formatted(install.getMetadata().getName());
    }

    private static String cause(InstallState state) {
        return Objects.requireNonNullElse(state.failure(), "").replaceFirst("^The installation (has )?failed: ", "");
    }

    private static Stream<String> hosts(List<OpenshiftAssistedConfig> configs) {
        List<String> failed =
                configs.stream().flatMap(config -> failed(config).stream()).toList();
        return failed.size() <= NAMED
                ? failed.stream()
                : Stream.concat(
                        failed.subList(0, NAMED).stream(),
                        Stream.of("%d more hosts failed".formatted(failed.size() - NAMED)));
    }

    /** A text as one line, without its full stop. */
    static String line(String text) {
        return text.replaceAll("\\s*\n[\\s*]*", " ").strip().replaceFirst("\\.$", "");
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
                .map(condition -> machine(config) + ": " + condition.message())
                .toList();
    }

    /** The Machine of a config, which is what people know. */
    static String machine(OpenshiftAssistedConfig config) {
        return config.getMetadata().getOwnerReferences().stream()
                .filter(owner -> owner.getKind().equals("Machine"))
                .findFirst()
                .map(owner -> "Machine " + owner.getName())
                .orElse("OpenshiftAssistedConfig " + config.getMetadata().getName());
    }
}
