package io.capoa.controlplane.status;

import static io.capoa.api.controlplane.v1beta1.ControlPlaneConditions.*;

import io.capoa.api.conditions.Condition;
import io.capoa.controlplane.kubeconfig.KubeconfigSecret;
import io.capoa.controlplane.observe.ControlPlaneObservation;
import io.capoa.controlplane.steps.install.KubeconfigStep;
import io.capoa.controlplane.workload.client.ClusterCertificates;
import io.capoa.controlplane.workload.etcd.EtcdMember;
import io.capoa.controlplane.workload.health.ControlPlaneHealth;
import io.capoa.controlplane.workload.health.ControlPlaneHealth.Loss;
import io.capoa.controlplane.workload.health.HealthJudgement;
import io.capoa.controlplane.workload.health.NodeHealth;
import io.capoa.runtime.status.Conditions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Conditions of an installed control plane's health, with the reasons of Cluster API's KubeadmControlPlane. Messages name
 * what is wrong now, without counters and times, so that a refresh of an unchanged cluster writes nothing.
 */
final class HealthConditions {

    private static final String NOT_INSTALLED = "the control plane is not installed yet";
    private static final String NOT_ASKED = "waiting for the first answer of the cluster";
    private static final String ETCD_LOST =
            "etcd of the cluster has no majority of healthy members: power on or repair the control plane hosts";

    private static final String CLIENT_CERTIFICATE =
            "the client certificate of the kubeconfig is valid until %s: write a new kubeconfig to %s";
    private static final String SERVER_CERTIFICATE =
            "a certificate that the API server of the cluster shows is valid until %s: renew it if it is one of your own, of"
                    + " APIServer cluster or of a load balancer; otherwise ClusterOperator kube-apiserver says why it has not"
                    + " been renewed";

    private HealthConditions() {}

    /** Whether the condition was set before the installation was complete. */
    static boolean isOfInstallation(Condition condition) {
        return condition.type().equals(ETCD_CLUSTER_HEALTHY)
                && condition.reason().equals(HEALTH_UNKNOWN)
                && condition.message().equals(NOT_INSTALLED);
    }

    /** Sets the conditions of the health, and overrides Available where it is True without reason. */
    static void set(Conditions conditions, StepResults results) {
        set(conditions, results.observation().installed(), results.answers().health(), secret(results));
    }

    /** Where a new kubeconfig is to be written: assisted-service's Secret, if the one of the Cluster is a copy of it. */
    private static String secret(StepResults results) {
        ControlPlaneObservation observation = results.observation();
        String own = KubeconfigSecret.name(observation.identity().clusterName());
        String source = KubeconfigSecret.sourceName(observation.install());
        boolean copied = source != null && !(results.kubeconfig() instanceof KubeconfigStep.Access.UserProvided);
        return copied
                ? "Secret %s, of which Secret %s is a copy (key %s)".formatted(source, own, KubeconfigSecret.SOURCE_KEY)
                : "Secret %s (key %s)".formatted(own, KubeconfigSecret.KEY);
    }

    /**
     * Sets them.
     *
     * @param secret names the Secret and the key for another kubeconfig
     */
    static void set(Conditions conditions, boolean installed, HealthJudgement health, String secret) {
        if (!installed) {
            both(conditions, HEALTH_UNKNOWN, NOT_INSTALLED);
            return;
        }
        available(conditions, health, secret);
        ControlPlaneHealth seen = health.seen() == null ? null : health.seen().value();
        certificates(conditions, seen == null ? ClusterCertificates.UNKNOWN : seen.certificates(), secret);
        if (seen != null && health.loss() == Loss.NONE && seen.isWhole()) {
            etcd(conditions, seen);
            components(conditions, seen);
        } else if (seen != null && health.isLostFor(HealthJudgement.NOTICEABLE)) {
            lost(conditions, seen, secret);
        } else {
            keep(conditions, HEALTH_UNKNOWN, NOT_ASKED);
        }
    }

    /** Shorter outages change nothing; after a restart the condition stays until the cluster is known. */
    private static void available(Conditions conditions, HealthJudgement health, String secret) {
        Condition before = conditions.previous(AVAILABLE).orElse(null);
        boolean wasLost = before != null && HealthJudgement.OUTAGES.contains(before.reason());
        boolean serves = conditions
                .get(AVAILABLE)
                .filter(now -> now.status().equals(Condition.TRUE))
                .isPresent();
        if (!serves) {
            return;
        }
        if (health.isLostFor(HealthJudgement.LASTING) || (wasLost && health.loss() != Loss.NONE)) {
            String reason = switch (health.loss()) {
                case ETCD_MAJORITY -> ETCD_MAJORITY_LOST;
                case ACCESS -> KUBECONFIG_REFUSED;
                default -> API_SERVER_UNREACHABLE;
            };
            conditions.isFalse(AVAILABLE, reason, firstMessage(before, reason, message(health, secret)));
        } else if (before != null && wasLost && health.seen() == null) {
            conditions.isFalse(AVAILABLE, before.reason(), before.message());
        }
    }

    /** After a restart it stays until the API server has shown its certificates. */
    private static void certificates(Conditions conditions, ClusterCertificates seen, String secret) {
        if (seen.isDue()) {
            conditions.isFalse(
                    CERTIFICATES_UP_TO_DATE,
                    CERTIFICATE_EXPIRING,
                    lines(Stream.of(
                                    end(CLIENT_CERTIFICATE, seen.client(), secret),
                                    end(SERVER_CERTIFICATE, seen.server(), ""))
                            .flatMap(Optional::stream)
                            .toList()));
        } else if (seen.known()) {
            conditions.isTrue(CERTIFICATES_UP_TO_DATE, CERTIFICATES_UP_TO_DATE, "");
        } else {
            conditions.keep(CERTIFICATES_UP_TO_DATE);
        }
    }

    private static Optional<String> end(String message, @Nullable Instant end, String secret) {
        return Optional.ofNullable(end).map(until -> message.formatted(until, secret));
    }

    private static void lost(Conditions conditions, ControlPlaneHealth seen, String secret) {
        String message = message(seen, secret);
        String reason = seen.loss() == Loss.ACCESS ? KUBECONFIG_REFUSED : CONNECTION_DOWN;
        if (seen.loss() == Loss.ETCD_MAJORITY) {
            conditions.isFalse(
                    ETCD_CLUSTER_HEALTHY,
                    NOT_HEALTHY,
                    message + unhealthy(seen.etcd().members()));
        } else {
            conditions.isUnknown(
                    ETCD_CLUSTER_HEALTHY, reason, firstMessage(conditions, ETCD_CLUSTER_HEALTHY, reason, message));
        }
        conditions.isUnknown(
                CONTROL_PLANE_COMPONENTS_HEALTHY,
                reason,
                firstMessage(conditions, CONTROL_PLANE_COMPONENTS_HEALTHY, reason, message));
    }

    private static String unhealthy(List<EtcdMember> members) {
        String names = members.stream()
                .filter(member -> !member.healthy())
                .map(EtcdMember::label)
                .collect(Collectors.joining(", "));
        return names.isEmpty() ? "" : "; members that do not answer: " + names;
    }

    private static void etcd(Conditions conditions, ControlPlaneHealth seen) {
        ControlPlaneHealth.Etcd etcd = seen.etcd();
        if (etcd.members().isEmpty()) {
            conditions.isUnknown(
                    ETCD_CLUSTER_HEALTHY,
                    INSPECTION_FAILED,
                    "the members of etcd cannot be listed: %s; it is tried again".formatted(etcd.unknown()));
            return;
        }
        List<String> problems = new ArrayList<>();
        etcd.members().stream()
                .filter(member -> !member.healthy() && !member.learner())
                .map(member ->
                        "etcd member %s does not answer: repair its host, or delete its Machine to have it replaced"
                                .formatted(member.label()))
                .forEach(problems::add);
        Set<String> names = etcd.members().stream().map(EtcdMember::name).collect(Collectors.toSet());
        seen.nodes().stream()
                .map(NodeHealth::name)
                .filter(node -> !names.contains(node))
                .map(node ->
                        "Node %s has no etcd member: wait until the cluster's etcd operator has added it, which it does when all other members are healthy"
                                .formatted(node))
                .forEach(problems::add);
        report(conditions, ETCD_CLUSTER_HEALTHY, problems);
    }

    private static void components(Conditions conditions, ControlPlaneHealth seen) {
        List<String> problems = new ArrayList<>();
        seen.nodes().stream()
                .filter(node -> !node.ready())
                .map(node ->
                        "Node %s is not Ready%s: check its host".formatted(node.name(), inBrackets(node.problem())))
                .forEach(problems::add);
        seen.operators().stream()
                .filter(operator -> !operator.healthy())
                .map(operator -> operator.words() + ": look at its conditions and at the pods of its namespace")
                .forEach(problems::add);
        report(conditions, CONTROL_PLANE_COMPONENTS_HEALTHY, problems);
    }

    private static String inBrackets(String text) {
        return text.isEmpty() ? "" : " (" + text + ")";
    }

    private static void report(Conditions conditions, String type, List<String> problems) {
        if (problems.isEmpty()) {
            conditions.isTrue(type, HEALTHY, "");
        } else {
            conditions.isFalse(type, NOT_HEALTHY, lines(problems));
        }
    }

    private static String lines(List<String> problems) {
        return problems.stream().map(line -> "* " + line).collect(Collectors.joining("\n"));
    }

    private static String message(HealthJudgement health, String secret) {
        return message(
                Objects.requireNonNull(health.seen(), "an outage has been seen").value(), secret);
    }

    private static String message(ControlPlaneHealth seen, String secret) {
        return switch (seen.loss()) {
            case ETCD_MAJORITY -> ETCD_LOST;
            case ACCESS ->
                "the kubeconfig does not work any more (%s): write a new one to %s"
                        .formatted(seen.api().failure(), secret);
            default ->
                ("the API server of the cluster does not take requests (%s): check the control plane hosts, and the load balancer"
                                + " or virtual IP address in front of them")
                        .formatted(seen.api().failure());
        };
    }

    /** Each attempt may fail in its own way: the first message of an outage stays. */
    private static String firstMessage(Conditions conditions, String type, String reason, String message) {
        return firstMessage(conditions.previous(type).orElse(null), reason, message);
    }

    private static String firstMessage(@Nullable Condition before, String reason, String message) {
        return before != null && before.reason().equals(reason) ? before.message() : message;
    }

    private static void keep(Conditions conditions, String reason, String message) {
        for (String type : List.of(ETCD_CLUSTER_HEALTHY, CONTROL_PLANE_COMPONENTS_HEALTHY)) {
            boolean known = conditions
                    .previous(type)
                    .filter(before -> !before.message().equals(NOT_INSTALLED))
                    .isPresent();
            if (known) {
                conditions.keep(type);
            } else {
                conditions.isUnknown(type, reason, message);
            }
        }
    }

    private static void both(Conditions conditions, String reason, String message) {
        conditions.isUnknown(ETCD_CLUSTER_HEALTHY, reason, message);
        conditions.isUnknown(CONTROL_PLANE_COMPONENTS_HEALTHY, reason, message);
    }
}
