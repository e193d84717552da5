package io.capoa.lab.cluster;

import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReview;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReviewBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;

/** The user {@link KnownUsers#LIMITED} with a copy of a provider's role, from which a test removes rights. */
public final class LimitedUser implements AutoCloseable {

    private static final String RBAC = "rbac.authorization.k8s.io";

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final KubernetesClient admin;
    private final String user;
    private final List<PolicyRule> whole;

    private final String role = "limited-" + UUID.randomUUID().toString().substring(0, 8);

    /**
     * A user with the rights of a role.
     *
     * @param like name of the provider's ClusterRole
     */
    public LimitedUser(TestCluster cluster, String like) {
        admin = cluster.admin();
        user = cluster.userName(KnownUsers.LIMITED);
        whole = admin.rbac().clusterRoles().withName(like).require().getRules();
        admin.resource(new ClusterRoleBuilder()
                        .withNewMetadata()
                        .withName(role)
                        .endMetadata()
                        .withRules(whole)
                        .build())
                .create();
        admin.resource(new ClusterRoleBindingBuilder()
                        .withNewMetadata()
                        .withName(role)
                        .endMetadata()
                        .withNewRoleRef(RBAC, "ClusterRole", role)
                        .withSubjects(cluster.subject(KnownUsers.LIMITED))
                        .build())
                .create();
    }

    /**
     * Revokes one verb on one resource, and grants all others. Returns when the API server refuses the verb: its authorizer
     * learns of a changed role by a watch.
     */
    public void mayNot(String verb, String group, String resource) {
        set(whole.stream()
                .flatMap(rule -> rule.getApiGroups().contains(group)
                                && rule.getResources().contains(resource)
                        ? without(rule, verb, resource)
                        : Stream.of(rule))
                .toList());
        SubjectAccessReview question = new SubjectAccessReviewBuilder()
                .withNewSpec()
                .withUser(user)
                .withNewResourceAttributes()
                .withVerb(verb)
                .withGroup(group)
                .withResource(resource)
                .endResourceAttributes()
                .endSpec()
                .build();
        if (!PollPause.until(PATIENCE, () -> !isAllowed(question))) {
            throw new ClusterException("%s may still %s %s of group %s".formatted(user, verb, resource, group));
        }
    }

    private boolean isAllowed(SubjectAccessReview question) {
        return Boolean.TRUE.equals(admin.authorization()
                .v1()
                .subjectAccessReview()
                .create(question)
                .getStatus()
                .getAllowed());
    }

    /** Grants all rights of the role, and additional ones. */
    public void mayAlso(String group, List<String> resources, String... verbs) {
        set(Stream.concat(
                        whole.stream(),
                        Stream.of(new PolicyRuleBuilder()
                                .withApiGroups(group)
                                .withResources(resources)
                                .withVerbs(verbs)
                                .build()))
                .toList());
    }

    /** Grants all rights of the role. */
    public void mayAll() {
        set(whole);
    }

    /** The API server rejects a rule without verbs or resources. */
    private static Stream<PolicyRule> without(PolicyRule rule, String verb, String resource) {
        PolicyRule others =
                new PolicyRuleBuilder(rule).removeFromResources(resource).build();
        PolicyRule one = new PolicyRuleBuilder(rule)
                .withResources(resource)
                .removeFromVerbs(verb)
                .build();
        return Stream.of(others, one)
                .filter(kept ->
                        !kept.getResources().isEmpty() && !kept.getVerbs().isEmpty());
    }

    private void set(List<PolicyRule> rules) {
        ClusterRole changed = admin.rbac().clusterRoles().withName(role).edit(present -> {
            present.setRules(rules);
            return present;
        });
        Objects.requireNonNull(changed);
    }

    @Override
    public void close() {
        admin.rbac().clusterRoleBindings().withName(role).delete();
        admin.rbac().clusterRoles().withName(role).delete();
    }
}
