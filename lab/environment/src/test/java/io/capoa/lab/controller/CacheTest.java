package io.capoa.lab.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.informers.cache.Indexer;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** The watch catches up with an own write, and another thread sees that, while a thread reads. */
class CacheTest {

    private static final Key KEY = new Key("ns", "a");

    private ConfigMap watched = version(1);
    private boolean catchesUp;
    private final Caches.Cache<ConfigMap> cache = new Caches.Cache<>(informer());

    @Test
    void anObjectIsNeverOlderThanAnOwnWrite() {
        cache.wrote(version(2));
        assertThat(cache.get(KEY)).isEqualTo(version(2));

        catchesUp = true;
        assertThat(cache.get(KEY)).isEqualTo(version(2));
    }

    @Test
    void noObjectOfAListIsOlderThanAnOwnWrite() {
        cache.wrote(version(2));
        catchesUp = true;
        assertThat(cache.list("ns")).containsExactly(version(2));
    }

    @Test
    void afterTheWatchHasCaughtUp_itAloneSpeaks() {
        cache.wrote(version(2));
        watched = version(3);
        assertThat(cache.get(KEY)).isEqualTo(version(3));
        assertThat(cache.list()).containsExactly(version(3));
    }

    /** What the watch has seen when it is asked; it goes on before the answer is used. */
    private ConfigMap seen() {
        ConfigMap seen = watched;
        if (catchesUp) {
            catchesUp = false;
            watched = version(2);
            assertThat(cache.get(KEY)).isEqualTo(version(2));
        }
        return seen;
    }

    private static ConfigMap version(int version) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(KEY.namespace())
                .withName(KEY.name())
                .withUid("uid")
                .withResourceVersion(String.valueOf(version))
                .endMetadata()
                .build();
    }

    @SuppressWarnings("unchecked")
    private SharedIndexInformer<ConfigMap> informer() {
        Indexer<ConfigMap> indexer = proxy(Indexer.class, method -> switch (method) {
            case "getByKey" -> seen();
            case "list", "byIndex" -> List.of(seen());
            default -> throw new UnsupportedOperationException(method);
        });
        return proxy(SharedIndexInformer.class, method -> "getIndexer".equals(method) ? indexer : null);
    }

    @SuppressWarnings("unchecked")
    private static <T> T proxy(Class<? super T> type, Function<String, Object> answers) {
        return (T) Proxy.newProxyInstance(
                CacheTest.class.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) -> answers.apply(method.getName()));
    }
}
