package io.capoa.runtime.watch;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Sources that are not watched now although nothing can be decided without them: what their caches hold is unknown, not
 * empty.
 *
 * @param sources in the order of their declaration
 */
public record Unwatched(List<Source<?>> sources) {

    public Unwatched {
        sources = List.copyOf(sources);
    }

    /** Whether all are watched. */
    public boolean isEmpty() {
        return sources.isEmpty();
    }

    /** Their kinds. */
    public Set<Class<? extends HasMetadata>> kinds() {
        return sources.stream().map(Source::kind).collect(Collectors.toUnmodifiableSet());
    }

    /** For each kind that the API server does not serve: its name, and what to install. */
    public List<String> absent() {
        return each(Source::absence);
    }

    /** For each kind that RBAC forbids to watch: its name, and the missing right. See {@link Source#missingRight}. */
    public List<String> forbidden() {
        return each(Source::missingRight);
    }

    /** Why the first is not watched. */
    public Optional<String> reason() {
        return sources.stream().findFirst().map(Source::obstacle);
    }

    private List<String> each(Function<Source<?>, Optional<String>> sentence) {
        return sources.stream()
                .flatMap(source -> sentence.apply(source).stream())
                .distinct()
                .toList();
    }
}
