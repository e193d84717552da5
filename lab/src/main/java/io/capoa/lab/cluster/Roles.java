package io.capoa.lab.cluster;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;

/** Gives the users of a management cluster their rights: the providers the hand-written ones of {@code config/}. */
final class Roles {

    private static final String RBAC = "rbac.authorization.k8s.io";

    private final TestCluster cluster;
    private final KubernetesClient client;

    Roles(TestCluster cluster) {
        this.cluster = cluster;
        this.client = cluster.admin();
    }

    /**
     * Applies the ClusterRoles in {@code rbac} folders of a provider's configuration, and binds to the user those that
     * the configuration binds to the service account of its Deployment.
     *
     * @return names of the roles that were bound
     */
    List<String> grantConfigured(Path configuration, String user) {
        List<GenericKubernetesResource> objects = Manifests.below(configuration, Roles::isInRbacFolder);
        objects.stream()
                .filter(object -> object.getKind().equals("ClusterRole"))
                .forEach(role -> client.resource(role)
                        .fieldManager("lab")
                        .forceConflicts()
                        .serverSideApply());
        List<String> ownAccounts = objects.stream()
                .filter(object -> object.getKind().equals("ServiceAccount"))
                .map(account -> account.getMetadata().getName())
                .toList();
        List<String> bound = objects.stream()
                .filter(object -> object.getKind().equals("ClusterRoleBinding"))
                .filter(binding -> subjects(binding).stream().anyMatch(ownAccounts::contains))
                .map(binding -> binding.<String>get("roleRef", "name"))
                .toList();
        bound.forEach(role -> bind(role, user));
        return bound;
    }

    private static List<String> subjects(GenericKubernetesResource binding) {
        List<Map<String, String>> subjects = binding.get("subjects");
        return subjects.stream().map(subject -> subject.get("name")).toList();
    }

    /** Binds an existing ClusterRole to a user in all namespaces. */
    void bind(String clusterRole, String user) {
        client.resource(new ClusterRoleBindingBuilder()
                        .withNewMetadata()
                        .withName("%s:%s".formatted(user, clusterRole))
                        .endMetadata()
                        .withNewRoleRef(RBAC, "ClusterRole", clusterRole)
                        .withSubjects(cluster.subject(user))
                        .build())
                .fieldManager("lab")
                .forceConflicts()
                .serverSideApply();
    }

    private static boolean isInRbacFolder(Path file) {
        return StreamSupport.stream(file.spliterator(), false)
                .anyMatch(part -> part.toString().equals("rbac"));
    }
}
