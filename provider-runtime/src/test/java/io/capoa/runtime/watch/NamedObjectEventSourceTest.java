package io.capoa.runtime.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.capoa.runtime.client.InvalidNameException;
import io.capoa.runtime.watch.NamedObjectEventSource.Target;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class NamedObjectEventSourceTest {

    private static final Target SECRET = Target.secret("one", "pull");
    private static final Target CONFIG_MAP = Target.configMap("one", "manifests");

    private final Map<Target, Watcher<GenericKubernetesResource>> open = new HashMap<>();
    private final Set<Target> refused = new HashSet<>();
    private final List<Target> attempts = new ArrayList<>();
    private final List<String> reconciled = new ArrayList<>();
    private final List<Runnable> later = new ArrayList<>();
    private final NamedObjectEventSource<ConfigMap> source = new NamedObjectEventSource<>(this::watch, later::add);

    private Watch watch(Target target, Watcher<GenericKubernetesResource> watcher) {
        attempts.add(target);
        if (refused.contains(target)) {
            throw new KubernetesClientException("refused");
        }
        open.put(target, watcher);
        return () -> open.remove(target);
    }

    @BeforeEach
    void start() {
        source.setEventHandler(
                event -> reconciled.add(event.getRelatedCustomResourceID().getName()));
    }

    @Test
    void anObject_isWatchedOnce_whileAPrimaryWaitsForIt() {
        source.waitFor(primary("a"), Set.of(SECRET));
        source.waitFor(primary("b"), Set.of(SECRET));
        source.waitFor(primary("a"), Set.of(SECRET));
        assertThat(attempts).containsExactly(SECRET);

        open.get(SECRET).eventReceived(Watcher.Action.ADDED, new GenericKubernetesResource());
        open.get(SECRET).eventReceived(Watcher.Action.BOOKMARK, new GenericKubernetesResource());
        assertThat(reconciled).containsExactlyInAnyOrder("a", "b");

        source.waitFor(primary("a"), Set.of());
        assertThat(open).containsOnlyKeys(SECRET);
        source.waitFor(primary("b"), Set.of(CONFIG_MAP));
        assertThat(open).containsOnlyKeys(CONFIG_MAP);
    }

    @Test
    void aWatchThatCannotBeOpened_isTriedAgainAfterAPause_andFailsNoReconcile() {
        refused.add(SECRET);
        for (int attempt = 1; attempt <= 3; attempt++) {
            source.waitFor(primary("a"), Set.of(SECRET, CONFIG_MAP));
            assertThat(attempts).filteredOn(SECRET::equals).hasSize(attempt);
            assertThat(open).as("the other").containsOnlyKeys(CONFIG_MAP);
            assertThat(reconciled).hasSize(attempt - 1);
            later.removeFirst().run();
            assertThat(reconciled).hasSize(attempt).containsOnly("a");
        }
        refused.clear();
        source.waitFor(primary("a"), Set.of(SECRET, CONFIG_MAP));
        assertThat(open).containsOnlyKeys(SECRET, CONFIG_MAP);
        assertThat(later).isEmpty();
    }

    @Test
    void aNameThatNoObjectCanHave_isRefused_andNothingElseIsForgotten() {
        Set<Target> wanted = Set.of(SECRET, Target.secret("one", "../other"));
        assertThatExceptionOfType(InvalidNameException.class).isThrownBy(() -> source.waitFor(primary("a"), wanted));
        source.waitFor(primary("a"), Set.of(SECRET));
        assertThat(open).containsOnlyKeys(SECRET);
    }

    @Test
    void aWatchThatEnds_reconciles_andIsOpenedAgain() {
        source.waitFor(primary("a"), Set.of(SECRET));
        open.get(SECRET).onClose(new WatcherException("ended"));
        assertThat(reconciled).containsExactly("a");
        source.waitFor(primary("a"), Set.of(SECRET));
        assertThat(attempts).hasSize(2);
    }

    @Test
    void aStoppedSource_closesItsWatches() {
        source.start();
        source.waitFor(primary("a"), Set.of(SECRET));
        source.stop();
        assertThat(open).isEmpty();
    }

    private static ConfigMap primary(String name) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("one")
                .withName(name)
                .endMetadata()
                .build();
    }
}
