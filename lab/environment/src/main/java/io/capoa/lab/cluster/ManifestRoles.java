package io.capoa.lab.cluster;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** Grants rights to users of a management cluster; providers get the roles in {@code config/}. */
final class ManifestRoles {

    private static final String RBAC = "rbac.authorization.k8s.io";
    private static final Duration AGGREGATED_WITHIN = Duration.ofSeconds(30);

    private final TestCluster cluster;
    private final KubernetesClient client;

    ManifestRoles(TestCluster cluster) {
        this.cluster = cluster;
        this.client = cluster.admin();
    }

    /**
     * Applies the roles in {@code rbac} folders of a provider's configuration, and binds to the user those that are
     * bound to the ServiceAccount of its Deployment, with the same scope. Returns when aggregated roles have their rules.
     *
     * @return names of the bound roles
     */
    List<String> grantConfigured(Path configuration, String user) {
        List<GenericKubernetesResource> objects = ManifestFiles.below(configuration, ManifestRoles::isInRbacFolder);
        List<String> ownAccounts = ofKind(objects, "ServiceAccount")
                .map(account -> account.getMetadata().getName())
                .toList();
        ofKind(objects, "ClusterRole").forEach(this::apply);
        ofKind(objects, "Role").forEach(role -> {
            apply(namespace(role.getMetadata().getNamespace()));
            apply(role);
        });
        List<GenericKubernetesResource> everywhere = bindings(objects, "ClusterRoleBinding", ownAccounts);
        everywhere.forEach(binding -> bind(roleOf(binding), user));
        List<GenericKubernetesResource> within = bindings(objects, "RoleBinding", ownAccounts);
        within.forEach(binding -> bindWithin(binding.getMetadata().getNamespace(), roleOf(binding), user));
        ofKind(objects, "ClusterRole")
                .filter(role -> role.get("aggregationRule") != null)
                .forEach(role -> awaitRules(role.getMetadata().getName()));
        return Stream.concat(everywhere.stream(), within.stream())
                .map(ManifestRoles::roleOf)
                .toList();
    }

    /** The aggregation controller writes the rules a moment after the role was created. */
    private void awaitRules(String role) {
        client.rbac()
                .clusterRoles()
                .withName(role)
                .waitUntilCondition(
                        known -> known != null
                                && known.getRules() != null
                                && !known.getRules().isEmpty(),
                        AGGREGATED_WITHIN.toMillis(),
                        TimeUnit.MILLISECONDS);
    }

    private static Stream<GenericKubernetesResource> ofKind(List<GenericKubernetesResource> objects, String kind) {
        return objects.stream().filter(object -> object.getKind().equals(kind));
    }

    private static List<GenericKubernetesResource> bindings(
            List<GenericKubernetesResource> objects, String kind, List<String> accounts) {
        return ofKind(objects, kind)
                .filter(binding -> subjects(binding).stream().anyMatch(accounts::contains))
                .toList();
    }

    private static String roleOf(GenericKubernetesResource binding) {
        return binding.get("roleRef", "name");
    }

    private static HasMetadata namespace(String name) {
        return new NamespaceBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .build();
    }

    private static List<String> subjects(GenericKubernetesResource binding) {
        List<Map<String, String>> subjects = binding.get("subjects");
        return subjects.stream().map(subject -> subject.get("name")).toList();
    }

    /** Applies roles without binding them. */
    void applyAll(List<GenericKubernetesResource> roles) {
        roles.forEach(this::apply);
    }

    /** Binds an existing ClusterRole to a user in all namespaces. */
    void bind(String clusterRole, String user) {
        apply(new ClusterRoleBindingBuilder()
                .withNewMetadata()
                .withName("%s:%s".formatted(user, clusterRole))
                .endMetadata()
                .withNewRoleRef(RBAC, "ClusterRole", clusterRole)
                .withSubjects(cluster.subject(user))
                .build());
    }

    private void bindWithin(String namespace, String role, String user) {
        apply(new RoleBindingBuilder()
                .withNewMetadata()
                .withName("%s:%s".formatted(user, role))
                .withNamespace(namespace)
                .endMetadata()
                .withNewRoleRef(RBAC, "Role", role)
                .withSubjects(cluster.subject(user))
                .build());
    }

    private void apply(HasMetadata object) {
        client.resource(object).fieldManager("lab").forceConflicts().serverSideApply();
    }

    private static boolean isInRbacFolder(Path file) {
        return StreamSupport.stream(file.spliterator(), false)
                .anyMatch(part -> part.toString().equals("rbac"));
    }
}
