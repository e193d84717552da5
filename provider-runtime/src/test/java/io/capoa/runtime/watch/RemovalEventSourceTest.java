package io.capoa.runtime.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.runtime.options.WatchScope;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.javaoperatorsdk.operator.api.config.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.config.informer.InformerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.IndexedResourceCache;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RemovalEventSourceTest {

    private static final String OURS = WatchScope.LABEL + "=a";

    private final List<ConfigMap> removed = new ArrayList<>();
    private final RemovalEventSource<ConfigMap> source = new RemovalEventSource<>(removed::add);

    @Test
    void aPrimary_thatIsStillWatched_stays() {
        source.reconciled(labelled("a"), context(OURS, labelled("a")));
        source.reconciled(labelled(null), context(null, labelled(null)));
        assertThat(removed).isEmpty();
    }

    @Test
    void aPrimary_thatWasDeletedDuringItsReconcile_isRemoved() {
        source.reconciled(labelled("a"), context(OURS, null));
        assertThat(removed).hasSize(1);
    }

    @Test
    void aPrimary_thatLostItsLabelDuringItsReconcile_isRemoved_thoughItsStatusWriteIsCached() {
        source.reconciled(labelled("a"), context(OURS, labelled(null)));
        source.reconciled(labelled("a"), context(OURS, labelled("b")));
        assertThat(removed).hasSize(2);
    }

    private static ConfigMap labelled(@Nullable String value) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("one")
                .withName("one")
                .withLabels(value == null ? null : Map.of(WatchScope.LABEL, value))
                .endMetadata()
                .build();
    }

    /** The context of a reconcile of a controller with this selector, whose cache answers with this object. */
    @SuppressWarnings("unchecked")
    private static Context<ConfigMap> context(@Nullable String selector, @Nullable ConfigMap cached) {
        InformerConfiguration<ConfigMap> informer = InformerConfiguration.builder(ConfigMap.class)
                .withLabelSelector(selector)
                .build();
        var cache = answering(IndexedResourceCache.class, Map.of("get", Optional.ofNullable(cached)));
        var controller = answering(ControllerConfiguration.class, Map.of("getInformerConfig", informer));
        return answering(Context.class, Map.of("getPrimaryCache", cache, "getControllerConfiguration", controller));
    }

    private static <T> T answering(Class<T> type, Map<String, Object> answers) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> answers.get(method.getName())));
    }
}
