package io.capoa.lint.rules;

import io.capoa.api.contract.CloudProvider;
import io.capoa.lint.manifest.Finding;
import io.capoa.lint.manifest.ManifestObject;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** API version, namespace, labels, names and service account. */
final class IdentityRules {

    static final List<WorkloadRule> ALL = List.of(
            IdentityRules::apiVersion,
            IdentityRules::namespace,
            IdentityRules::absentNamespace,
            IdentityRules::selector,
            IdentityRules::containerName,
            IdentityRules::defaultServiceAccount,
            IdentityRules::absentServiceAccount);

    static final String NAMESPACE = CloudProvider.NAMESPACE;
    private static final Set<String> APPS = Set.of("Deployment", "DaemonSet", "StatefulSet", "ReplicaSet");

    /** Created by OpenShift in {@link #NAMESPACE}. */
    private static final Set<String> SERVICE_ACCOUNTS = Set.of("cloud-controller-manager", "cloud-node-manager");

    /** In every namespace; that of pods which name none. */
    private static final Set<String> DEFAULT_ACCOUNT = Set.of("", "default");

    private IdentityRules() {}

    private static Stream<Finding> apiVersion(Workload workload, LintContext context) {
        ManifestObject object = workload.object();
        return workload.blockingIf(
                APPS.contains(object.kind()) && !object.apiVersion().equals("apps/v1"),
                "apiVersion",
                object.apiVersion() + " is not served",
                "and the object cannot be created",
                "write apps/v1");
    }

    private static Stream<Finding> namespace(Workload workload, LintContext context) {
        return workload.warningIf(
                !workload.namespace().equals(NAMESPACE),
                "metadata.namespace",
                "it is not in namespace " + NAMESPACE,
                "where OpenShift collects diagnostics of cloud controller managers, and grants rights to them",
                "write " + NAMESPACE);
    }

    private static Stream<Finding> absentNamespace(Workload workload, LintContext context) {
        return workload.blockingIf(
                !hasNamespace(workload, context),
                "metadata.namespace",
                "no manifest creates namespace " + workload.namespace(),
                "and nothing can be created in it",
                "add a Namespace, or write " + NAMESPACE);
    }

    /** Whether the manifests or OpenShift create the workload's namespace. */
    static boolean hasNamespace(Workload workload, LintContext context) {
        String namespace = workload.namespace();
        return namespace.isEmpty()
                || namespace.equals("default")
                || namespace.startsWith("kube-")
                || namespace.startsWith("openshift-")
                || context.manifests().has("Namespace", "", namespace);
    }

    private static Stream<Finding> selector(Workload workload, LintContext context) {
        return workload.blockingIf(
                APPS.contains(workload.object().kind()) && !selectsItsPods(workload),
                "spec.selector.matchLabels",
                "it does not match the labels of the pod template",
                "and the API server refuses the object",
                "write the same labels to spec.template.metadata.labels");
    }

    static boolean selectsItsPods(Workload workload) {
        return PodSelector.hasLabels(workload.podLabels(), workload.field("spec", "selector", "matchLabels"));
    }

    private static Stream<Finding> containerName(Workload workload, LintContext context) {
        String name = workload.containerName();
        return workload.warningIf(
                workload.containers().stream()
                        .noneMatch(container -> container.name().equals(name)),
                workload.path("containers"),
                "no container has the name " + name,
                "by which OpenShift's tools recognize it",
                "rename the container that runs it");
    }

    private static Stream<Finding> defaultServiceAccount(Workload workload, LintContext context) {
        return workload.warningIf(
                DEFAULT_ACCOUNT.contains(workload.serviceAccount()),
                workload.path("serviceAccountName"),
                "the pods have no ServiceAccount of their own",
                "and the default one has no right to change Nodes",
                "write cloud-controller-manager, and add the ServiceAccount with its roles");
    }

    private static Stream<Finding> absentServiceAccount(Workload workload, LintContext context) {
        String name = workload.serviceAccount();
        String namespace = workload.namespace();
        return workload.blockingIf(
                !DEFAULT_ACCOUNT.contains(name)
                        && !(namespace.equals(NAMESPACE) && SERVICE_ACCOUNTS.contains(name))
                        && !context.manifests().has("ServiceAccount", namespace, name),
                workload.path("serviceAccountName"),
                "no manifest creates ServiceAccount " + name + " in the same namespace",
                "and pods without it cannot be created",
                "add the ServiceAccount with its roles");
    }
}
