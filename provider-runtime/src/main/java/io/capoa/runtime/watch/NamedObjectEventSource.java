package io.capoa.runtime.watch;

import io.capoa.runtime.client.ByName;
import io.capoa.runtime.client.ObjectName;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.javaoperatorsdk.operator.processing.event.Event;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.AbstractEventSource;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Event source for objects by name that have no label to select, such as a pull Secret or an infrastructure template.
 * Watching every Secret of the cluster would need too many rights, so it watches a single name, and only while a
 * primary waits for it.
 */
public final class NamedObjectEventSource<P extends HasMetadata> extends AbstractEventSource<Void, P> {

    private static final Logger LOG = LoggerFactory.getLogger(NamedObjectEventSource.class);

    private static final Duration UNTIL_NEXT_ATTEMPT = Duration.ofSeconds(10);

    /** One object by name; {@code plural} as in its URL. */
    public record Target(String group, String version, String kind, String plural, String namespace, String name) {

        public static Target secret(String namespace, String name) {
            return new Target("", "v1", "Secret", "secrets", namespace, name);
        }

        public static Target configMap(String namespace, String name) {
            return new Target("", "v1", "ConfigMap", "configmaps", namespace, name);
        }

        private ResourceDefinitionContext definition() {
            return new ResourceDefinitionContext.Builder()
                    .withGroup(group)
                    .withVersion(version)
                    .withKind(kind)
                    .withPlural(plural)
                    .withNamespaced(true)
                    .build();
        }

        @Override
        public String toString() {
            return kind + " " + namespace + "/" + name;
        }
    }

    /** Opens a watch on one object. */
    interface Opener {
        Watch watch(Target target, Watcher<GenericKubernetesResource> watcher);
    }

    private final Opener opener;
    private final Executor later;
    private final Map<ResourceID, Set<Target>> targets = new HashMap<>();
    private final Map<Target, ObjectWatcher> waiting = new HashMap<>();

    private final class ObjectWatcher implements Watcher<GenericKubernetesResource> {
        private final Target target;
        private final Set<ResourceID> primaries = new HashSet<>();
        private @Nullable Watch watch;

        private ObjectWatcher(Target target) {
            this.target = target;
        }

        @Override
        public void eventReceived(Action action, GenericKubernetesResource resource) {
            if (action != Action.BOOKMARK) {
                trigger();
            }
        }

        @Override
        public void onClose(WatcherException cause) {
            LOG.debug("Watch on {} ended: {}", target, cause.getMessage());
            synchronized (NamedObjectEventSource.this) {
                waiting.remove(target, this);
            }
            trigger();
        }

        private void trigger() {
            Set<ResourceID> triggered;
            synchronized (NamedObjectEventSource.this) {
                triggered = Set.copyOf(primaries);
            }
            triggered.forEach(id -> getEventHandler().handleEvent(new Event(id)));
        }
    }

    public NamedObjectEventSource(KubernetesClient client) {
        this(
                (target, watcher) -> ByName.select(
                                client.genericKubernetesResources(target.definition())
                                        .inNamespace(target.namespace()),
                                target.name())
                        .watch(watcher),
                CompletableFuture.delayedExecutor(UNTIL_NEXT_ATTEMPT.toMillis(), TimeUnit.MILLISECONDS));
    }

    /** @param later runs a task after a pause */
    NamedObjectEventSource(Opener opener, Executor later) {
        super(Void.class, "awaited");
        this.opener = opener;
        this.later = later;
    }

    /**
     * Sets everything that this primary waits for now, in place of what it waited for before. Call
     * it in every reconcile, with an empty set when nothing is missing. A watch that cannot be opened is tried again later.
     *
     * @throws io.capoa.runtime.client.InvalidNameException for a name that no object can have
     */
    public void waitFor(P primary, Set<Target> wanted) {
        for (Target target : wanted) {
            var unused = ObjectName.require(target.name());
        }
        ResourceID id = ResourceID.fromResource(primary);
        Set<ObjectWatcher> opened = new HashSet<>();
        synchronized (this) {
            if (wanted.isEmpty() && !targets.containsKey(id)) {
                return;
            }
            Set<Target> before = wanted.isEmpty() ? targets.remove(id) : targets.put(id, Set.copyOf(wanted));
            for (Target target : before == null ? Set.<Target>of() : before) {
                if (!wanted.contains(target)) {
                    forget(target, id);
                }
            }
            for (Target target : wanted) {
                ObjectWatcher entry = waiting.get(target);
                if (entry == null) {
                    entry = new ObjectWatcher(target);
                    waiting.put(target, entry);
                    opened.add(entry);
                }
                entry.primaries.add(id);
            }
        }
        opened.forEach(this::open);
    }

    /** The server sends an existing object as the first event, so nothing is missed between a read and this watch. */
    private void open(ObjectWatcher entry) {
        Watch watch;
        try {
            watch = opener.watch(entry.target, entry);
        } catch (KubernetesClientException e) {
            LOG.warn("{} cannot be watched, which is tried again: {}", entry.target, e.getMessage());
            tryAgain(entry);
            return;
        }
        synchronized (this) {
            if (waiting.get(entry.target) == entry) {
                entry.watch = watch;
                return;
            }
        }
        watch.close();
    }

    /** What waits for the object reconciles after a while, and so opens the watch again. */
    private synchronized void tryAgain(ObjectWatcher entry) {
        waiting.remove(entry.target, entry);
        later.execute(entry::trigger);
    }

    private void forget(Target target, ResourceID id) {
        ObjectWatcher entry = waiting.get(target);
        if (entry != null && entry.primaries.remove(id) && entry.primaries.isEmpty()) {
            waiting.remove(target);
            if (entry.watch != null) {
                entry.watch.close();
            }
        }
    }

    @Override
    public Set<Void> getSecondaryResources(P primary) {
        return Set.of();
    }

    @Override
    public void stop() {
        super.stop();
        synchronized (this) {
            waiting.values().forEach(entry -> {
                if (entry.watch != null) {
                    entry.watch.close();
                }
            });
            waiting.clear();
            targets.clear();
        }
    }
}
