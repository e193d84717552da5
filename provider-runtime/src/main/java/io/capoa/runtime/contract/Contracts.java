package io.capoa.runtime.contract;

import io.capoa.runtime.client.ByName;
import io.capoa.runtime.client.ObjectName;
import io.capoa.runtime.lookup.SharedLookup;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.net.HttpURLConnection;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Finds the version in which a kind of Cluster API's contract is to be read: references carry group, kind and name only,
 * the CRD's label {@code cluster.x-k8s.io/v1beta2} names the versions that obey that contract (Cluster API v1beta2
 * contract, "API version labels"). A provider that is behind has the label of v1beta1 alone, and is read by that.
 */
public final class Contracts {

    /** Of the contracts that go together with ours, the newest first, as Cluster API looks for them. */
    private static final List<String> LABELS = List.of("cluster.x-k8s.io/v1beta2", "cluster.x-k8s.io/v1beta1");

    private static final Duration KEPT_FOR = Duration.ofMinutes(10);

    private record Kind(String group, String kind) {}

    private record Cached(ResourceDefinitionContext definition, Instant until) {}

    private final KubernetesClient client;
    private final Clock clock;
    private final Map<Kind, Cached> known = new ConcurrentHashMap<>();
    private final SharedLookup<Kind, Optional<ResourceDefinitionContext>> lookups = new SharedLookup<>();

    public Contracts(KubernetesClient client, Clock clock) {
        this.client = client;
        this.clock = clock;
    }

    /**
     * How to reach objects of that kind; empty when no CRD of that name is installed or it lacks the contract's label,
     * and for what is no group or no kind.
     * Answers are kept for minutes; otherwise one request, which all callers share that ask meanwhile.
     */
    public Optional<ResourceDefinitionContext> definition(String group, String kind) {
        if (!ObjectName.isValid(group) || !ObjectName.isKind(kind)) {
            return Optional.empty();
        }
        Kind key = new Kind(group, kind);
        return known(key)
                .or(() -> lookups.get(key, () -> {
                    // Another lookup may have ended since.
                    Optional<ResourceDefinitionContext> ended = known(key);
                    return ended.isPresent() ? ended : keep(key, lookUp(group, kind));
                }));
    }

    private Optional<ResourceDefinitionContext> keep(Kind key, Optional<ResourceDefinitionContext> found) {
        found.ifPresent(definition ->
                known.put(key, new Cached(definition, clock.instant().plus(KEPT_FOR))));
        return found;
    }

    private Optional<ResourceDefinitionContext> known(Kind key) {
        Cached answer = known.get(key);
        return answer != null && clock.instant().isBefore(answer.until())
                ? Optional.of(answer.definition())
                : Optional.empty();
    }

    /** Whether no CRD of the kind is installed, so that there is no object of it either. One request. */
    public boolean isAbsent(Class<? extends HasMetadata> kind) {
        String group = HasMetadata.getGroup(kind);
        return group.contains(".")
                && crd(HasMetadata.getPlural(kind) + "." + group).isEmpty();
    }

    private Optional<ResourceDefinitionContext> lookUp(String group, String kind) {
        String plural = plural(kind);
        var crd = crd(plural + "." + group);
        return crd.map(c -> c.getMetadata().getLabels())
                .flatMap(labels -> LABELS.stream()
                        .flatMap(label -> Optional.ofNullable(labels.get(label)).stream())
                        .findFirst())
                .flatMap(Contracts::newest)
                .map(version -> new ResourceDefinitionContext.Builder()
                        .withGroup(group)
                        .withVersion(version)
                        .withKind(kind)
                        .withPlural(plural)
                        .withNamespaced(true)
                        .build());
    }

    private Optional<io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition> crd(String name) {
        try {
            return Optional.ofNullable(ByName.select(client.apiextensions().v1().customResourceDefinitions(), name)
                    .get());
        } catch (KubernetesClientException e) {
            if (e.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** The name of a kind in URLs, as Cluster API derives it from the kind alone. */
    public static String plural(String kind) {
        String word = kind.toLowerCase(Locale.ROOT);
        if (word.endsWith("s") || word.endsWith("x") || word.endsWith("ch") || word.endsWith("sh")) {
            return word + "es";
        }
        if (word.endsWith("y") && word.length() > 1 && "aeiou".indexOf(word.charAt(word.length() - 2)) < 0) {
            return word.substring(0, word.length() - 1) + "ies";
        }
        return word + "s";
    }

    /** The newest of versions joined by {@code _}: stable before beta before alpha, then by number. */
    static Optional<String> newest(String versions) {
        return Arrays.stream(versions.split("_"))
                .filter(v -> v.matches("v\\d+((alpha|beta)\\d+)?"))
                .max(Comparator.comparing(Contracts::rank, Arrays::compare));
    }

    private static int[] rank(String version) {
        int stability = version.contains("alpha") ? 0 : version.contains("beta") ? 1 : 2;
        int[] numbers = Arrays.stream(version.split("\\D+"))
                .filter(s -> !s.isEmpty())
                .mapToInt(Integer::parseInt)
                .toArray();
        return new int[] {stability, numbers[0], numbers.length > 1 ? numbers[1] : 0};
    }
}
