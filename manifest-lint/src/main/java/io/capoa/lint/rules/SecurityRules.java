package io.capoa.lint.rules;

import io.capoa.api.contract.Fields;
import io.capoa.lint.manifest.Finding;
import io.capoa.lint.manifest.ManifestObject;
import io.capoa.lint.manifest.Manifests;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Security context constraints that let the pods use the host. OpenShift does not enforce them in its own namespaces of
 * run level 0 or 1, which is where its cloud controller managers are.
 */
final class SecurityRules {

    static final List<WorkloadRule> ALL = List.of(SecurityRules::constraints);

    /** Without constraints, whether a manifest labels them or not. */
    private static final Set<String> EXEMPT = Set.of(
            "",
            "default",
            "kube-public",
            "kube-system",
            "openshift",
            "openshift-infra",
            "openshift-node",
            IdentityRules.NAMESPACE);

    private static final Set<String> RUN_LEVELS = Set.of("0", "1");
    private static final String CLUSTER_ROLE = "system:openshift:scc:";

    /** Constraints of OpenShift; others are the user's, and taken to be sufficient. */
    private static final Set<String> WITHOUT_HOST = Set.of(
            "restricted", "restricted-v2", "restricted-v3", "nonroot", "nonroot-v2", "anyuid", "nested-container");

    private static final Set<String> WITHOUT_NETWORK = Set.of("hostmount-anyuid", "hostmount-anyuid-v2");
    private static final Set<String> WITHOUT_PATHS = Set.of("hostnetwork", "hostnetwork-v2");
    private static final String PRIVILEGED = "privileged";
    private static final Set<String> UNPRIVILEGED = Set.of("hostaccess", "node-exporter");

    private SecurityRules() {}

    private static Stream<Finding> constraints(Workload workload, LintContext context) {
        String namespace = workload.namespace();
        if (EXEMPT.contains(namespace)
                || !IdentityRules.hasNamespace(workload, context)
                || hasRunLevel(namespace, context.manifests())
                || !(workload.hasHostNetwork() || usesPaths(workload) || isPrivileged(workload))
                || isGranted(workload, context.manifests())) {
            return Stream.empty();
        }
        return workload.blocking(
                "metadata.namespace",
                "no security context constraints of namespace " + namespace + " let the pods use the host",
                "and OpenShift does not create such pods outside its own namespaces",
                "bind ClusterRole " + CLUSTER_ROLE + (isPrivileged(workload) ? PRIVILEGED : "hostaccess")
                        + " to ServiceAccount " + account(workload) + ", or write namespace "
                        + IdentityRules.NAMESPACE);
    }

    private static boolean hasRunLevel(String namespace, Manifests manifests) {
        return manifests
                .ofKind("Namespace")
                .filter(object -> object.name().equals(namespace))
                .anyMatch(object -> RUN_LEVELS.contains(
                        Fields.text(object.content(), "metadata", "labels", "openshift.io/run-level")));
    }

    private static boolean isGranted(Workload workload, Manifests manifests) {
        return manifests
                        .ofKind("SecurityContextConstraints")
                        .anyMatch(constraints -> names(constraints.content(), "users")
                                        .anyMatch(user(workload)::equals)
                                || names(constraints.content(), "groups").anyMatch(groups(workload)::contains))
                || Stream.concat(
                                manifests.ofKind("ClusterRoleBinding"),
                                manifests.ofKind("RoleBinding").filter(binding -> isInNamespace(binding, workload)))
                        .filter(binding -> Fields.list(binding.content(), "subjects").stream()
                                .anyMatch(subject -> isAccount(subject, binding, workload)))
                        .anyMatch(
                                binding -> isSufficient(Fields.any(binding.content(), "roleRef"), workload, manifests));
    }

    private static boolean isAccount(Object subject, ManifestObject binding, Workload workload) {
        String name = Fields.text(subject, "name");
        String namespace = Fields.text(subject, "namespace");
        return switch (Fields.text(subject, "kind")) {
            case "ServiceAccount" ->
                name.equals(account(workload))
                        && (namespace.isEmpty() ? binding.namespace() : namespace).equals(workload.namespace());
            case "User" -> name.equals(user(workload));
            case "Group" -> groups(workload).contains(name);
            default -> false;
        };
    }

    private static boolean isSufficient(@Nullable Object reference, Workload workload, Manifests manifests) {
        String name = Fields.text(reference, "name");
        String kind = Fields.text(reference, "kind");
        if (name.equals("cluster-admin")) {
            return true;
        }
        if (name.startsWith(CLUSTER_ROLE)) {
            return lets(name.substring(CLUSTER_ROLE.length()), workload);
        }
        return manifests
                .ofKind(kind)
                .filter(role ->
                        role.name().equals(name) && (kind.equals("ClusterRole") || isInNamespace(role, workload)))
                .flatMap(role -> Fields.list(role.content(), "rules").stream())
                .filter(rule -> has(rule, "verbs", "use") && has(rule, "resources", "securitycontextconstraints"))
                .anyMatch(rule -> Fields.list(rule, "resourceNames").isEmpty()
                        || names(rule, "resourceNames").anyMatch(constraints -> lets(constraints, workload)));
    }

    private static boolean lets(String constraints, Workload workload) {
        boolean privileged = isPrivileged(workload);
        return !WITHOUT_HOST.contains(constraints)
                && !((privileged || workload.hasHostNetwork()) && WITHOUT_NETWORK.contains(constraints))
                && !((privileged || usesPaths(workload)) && WITHOUT_PATHS.contains(constraints))
                && !(privileged && UNPRIVILEGED.contains(constraints));
    }

    private static boolean isPrivileged(Workload workload) {
        return workload.allContainers().stream()
                .anyMatch(container -> Fields.isTrue(container.content(), "securityContext", "privileged"));
    }

    private static boolean usesPaths(Workload workload) {
        return workload.podList("volumes").stream().anyMatch(volume -> Fields.any(volume, "hostPath") != null);
    }

    private static boolean isInNamespace(ManifestObject object, Workload workload) {
        return object.namespace().equals(workload.namespace());
    }

    private static String account(Workload workload) {
        return workload.serviceAccount().isEmpty() ? "default" : workload.serviceAccount();
    }

    private static String user(Workload workload) {
        return "system:serviceaccount:" + workload.namespace() + ":" + account(workload);
    }

    private static Set<String> groups(Workload workload) {
        return Set.of(
                "system:authenticated", "system:serviceaccounts", "system:serviceaccounts:" + workload.namespace());
    }

    private static boolean has(@Nullable Object rule, String field, String value) {
        return names(rule, field).anyMatch(name -> name.equals(value) || name.equals("*"));
    }

    private static Stream<String> names(@Nullable Object root, String field) {
        return Fields.list(root, field).stream().map(name -> Fields.text(name));
    }
}
