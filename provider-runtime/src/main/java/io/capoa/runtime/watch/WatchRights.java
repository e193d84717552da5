package io.capoa.runtime.watch;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.authorization.v1.ResourceAttributesBuilder;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReview;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReviewBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks whether an informer fails for lack of permissions. Informers retry a refused list without reporting why, so
 * this asks the API server (SelfSubjectAccessReview), at most every few seconds.
 */
final class WatchRights {

    private static final Logger LOG = LoggerFactory.getLogger(WatchRights.class);

    private static final long KEPT_NANOS = Duration.ofSeconds(5).toNanos();
    private static final List<String> VERBS = List.of("list", "watch");

    private final KubernetesClient client;
    private final String group;
    private final String plural;
    private final Set<String> namespaces;
    private @Nullable Answer answer;

    private record Answer(Optional<String> missing, long nanos) {}

    /**
     * Rights on a kind.
     *
     * @param namespaces in which it is watched; empty for all
     */
    WatchRights(KubernetesClient client, Class<? extends HasMetadata> kind, Set<String> namespaces) {
        this.client = client;
        this.group = HasMetadata.getGroup(kind);
        this.plural = HasMetadata.getPlural(kind);
        this.namespaces = namespaces.isEmpty() ? Set.of("") : Set.copyOf(namespaces);
    }

    /** Which right is missing and what to grant, as a sentence without a dot; empty when none is, or nothing is known. */
    synchronized Optional<String> missing() {
        Answer known = answer;
        long now = System.nanoTime();
        if (known == null || now - known.nanos() > KEPT_NANOS) {
            known = new Answer(ask(), now);
            answer = known;
        }
        return known.missing();
    }

    private Optional<String> ask() {
        try {
            for (String namespace : namespaces.stream().sorted().toList()) {
                for (String verb : VERBS) {
                    if (isDenied(verb, namespace)) {
                        return Optional.of(sentence(verb, namespace));
                    }
                }
            }
        } catch (KubernetesClientException e) {
            LOG.debug("Whether {} may be watched is not known: {}", plural, e.getMessage());
        }
        return Optional.empty();
    }

    private boolean isDenied(String verb, String namespace) {
        SelfSubjectAccessReview review = client.resource(new SelfSubjectAccessReviewBuilder()
                        .withNewSpec()
                        .withResourceAttributes(new ResourceAttributesBuilder()
                                .withVerb(verb)
                                .withGroup(group)
                                .withResource(plural)
                                .withNamespace(namespace)
                                .build())
                        .endSpec()
                        .build())
                .create();
        return review.getStatus() != null
                && Boolean.FALSE.equals(review.getStatus().getAllowed());
    }

    private String sentence(String verb, String namespace) {
        return "the provider may not %s resource %s of API group \"%s\" %s: grant verbs list and watch on it to the provider's ServiceAccount"
                .formatted(
                        verb, plural, group, namespace.isEmpty() ? "in all namespaces" : "in namespace " + namespace);
    }
}
