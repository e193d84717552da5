package io.capoa.runtime.write;

import io.capoa.runtime.client.ObjectName;
import io.capoa.runtime.watch.Source;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.NamespaceableResource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.net.HttpURLConnection;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The only writer of objects. It sends a request only if something differs, and one request per write.
 *
 * <ul>
 *   <li>{@link #apply}: objects that the provider owns whole, by server-side apply under its field manager;
 *   <li>{@link #create}: objects that others own from birth on (Machines), once;
 *   <li>{@link #patch}: a few fields of objects that others own, by JSON merge patch;
 *   <li>{@link #delete}: the object that was read, by its UID.
 * </ul>
 *
 * Every method throws {@link KubernetesClientException} when the API server refuses, and {@link
 * io.capoa.runtime.client.InvalidNameException}, before anything is sent, when an object's name is none.
 */
public final class Applier {

    /** A resourceVersion that the API server compares with that of an existing object, and ignores if there is none. */
    private static final String OF_NO_OBJECT = "1";

    private final KubernetesClient client;
    private final KubernetesSerialization serialization;
    private final ObjectMaps maps;
    private final PatchContext apply;
    private final PatchContext merge;
    private final Deletion deletion;
    private final AtomicLong requests = new AtomicLong();

    /**
     * Writes through the client.
     *
     * @param fieldManager the name under which {@code metadata.managedFields} lists our fields
     */
    public Applier(KubernetesClient client, String fieldManager) {
        this.client = client;
        this.serialization = client.getKubernetesSerialization();
        this.maps = new ObjectMaps(serialization);
        this.deletion = new Deletion(client);
        this.apply = new PatchContext.Builder()
                .withPatchType(PatchType.SERVER_SIDE_APPLY)
                .withFieldManager(fieldManager)
                .withForce(true)
                .build();
        this.merge = new PatchContext.Builder()
                .withPatchType(PatchType.JSON_MERGE)
                .withFieldManager(fieldManager)
                .build();
    }

    /**
     * Makes the object as desired: fields that we set before and no longer want are removed, fields of others stay. Refused
     * when there is another object of this name than the cache has (409, or 422 for its successor), or none (409).
     *
     * @param desired built fresh: no managedFields
     * @param actual what the cache has, {@code null} when it has none
     * @return the object as it is now
     */
    public <R extends HasMetadata> R apply(Source<R> source, R desired, @Nullable R actual) {
        return actual != null && !differs(desired, actual)
                ? actual
                : write(source, desired, maps.of(desired), d -> apply(d, uid(actual)));
    }

    /** {@link #apply(Source, HasMetadata, HasMetadata)} for a kind that is not watched. */
    public <R extends HasMetadata> R apply(R desired, @Nullable R actual) {
        return actual != null && !differs(desired, actual) ? actual : apply(desired, uid(actual));
    }

    private static @Nullable String uid(@Nullable HasMetadata actual) {
        return actual == null ? null : actual.getMetadata().getUid();
    }

    /**
     * Server-side apply would change any object that has the name, and create the object if there is none.
     *
     * @param uid of the object that is to be changed; {@code null} to create it
     */
    private <R extends HasMetadata> R apply(R desired, @Nullable String uid) {
        desired.getMetadata().setUid(uid);
        desired.getMetadata().setResourceVersion(uid == null ? OF_NO_OBJECT : null);
        return at(desired).patch(apply);
    }

    /** Creates the object; one that exists already, seen or not yet seen in the cache, is left as it is. */
    public <R extends HasMetadata> void create(Source<R> source, R desired) {
        orExists(() -> source.write(desired, d -> at(d).create(), (before, after) -> false));
    }

    /** {@link #create(Source, HasMetadata)} for a kind that is not watched. */
    public <R extends HasMetadata> void create(R desired) {
        orExists(() -> at(desired).create());
    }

    /** Has the API server judge the object without creating it (dry run); one that exists passes. */
    public <R extends HasMetadata> void dryRunCreate(R desired) {
        orExists(() -> at(desired).dryRun().create());
    }

    /**
     * {@link #create(HasMetadata)} for a name that an object from before may have.
     *
     * @return the object that has the name already; {@code null} if there was none
     */
    public <R extends HasMetadata> @Nullable R createOrRead(R desired) {
        try {
            at(desired).create();
            return null;
        } catch (KubernetesClientException e) {
            R existing =
                    e.getCode() == HttpURLConnection.HTTP_CONFLICT ? at(desired).get() : null;
            if (existing == null) {
                throw e;
            }
            return existing;
        }
    }

    /**
     * Sets a few fields of an object that others own, whatever else has changed about it. Refused with 422 when another
     * object has its name by now.
     *
     * @param fragment what the fields shall be, as nested maps; {@code null} removes a field, a list is one value
     * @return the object as it is now
     */
    public <R extends HasMetadata> R patch(Source<R> source, R actual, Map<String, ?> fragment) {
        return send(source, actual, Differences.merging(fragment, maps.of(actual)), false);
    }

    /** {@link #patch(Source, HasMetadata, Map)} for a kind that is not watched by a {@link Source}. */
    public <R extends HasMetadata> R patch(R actual, Map<String, ?> fragment) {
        Map<String, Object> difference = Differences.merging(fragment, maps.of(actual));
        return difference.isEmpty()
                ? actual
                : at(actual)
                        .patch(
                                merge,
                                body(difference, "uid", actual.getMetadata().getUid()));
    }

    /** Names of the fields below a path that were set by {@link #apply}: {@code owned(machine, "metadata", "labels")}. */
    public Set<String> owned(HasMetadata actual, String... path) {
        return OwnedFields.of(actual, Objects.requireNonNull(apply.getFieldManager()))
                .names(path);
    }

    /**
     * As {@link #patch}, refused with 409 when the object is no longer the one that was read: for decisions that rest on
     * more than the fields that are written. The object is looked at before, so that what would be refused is rarely sent.
     */
    public <R extends HasMetadata> R patchIfUnchanged(Source<R> source, R actual, Map<String, ?> fragment) {
        return send(source, actual, Differences.merging(fragment, maps.of(actual)), true);
    }

    /** {@link #patchIfUnchanged(Source, HasMetadata, Map)} for a kind that is not watched, without a look before. */
    public <R extends HasMetadata> R patchIfUnchanged(R actual, Map<String, ?> fragment) {
        Map<String, Object> difference = Differences.merging(fragment, maps.of(actual));
        String version = actual.getMetadata().getResourceVersion();
        return difference.isEmpty() ? actual : at(actual).patch(merge, body(difference, "resourceVersion", version));
    }

    /**
     * As {@link #patchIfUnchanged}, for the status subresource of an object that was just read; the fragment stands below
     * {@code status}.
     */
    public <R extends HasMetadata> R patchStatusIfUnchanged(Source<R> source, R actual, Map<String, ?> fragment) {
        Map<String, Object> difference = Differences.merging(Map.of("status", fragment), maps.of(actual));
        if (difference.isEmpty()) {
            return actual;
        }
        String body = body(difference, "resourceVersion", actual.getMetadata().getResourceVersion());
        return write(
                source, actual, difference, a -> at(a).subresource("status").patch(merge, body));
    }

    /**
     * Sets the part of the status that is ours on an object that others own, such as one condition of a list by type, by
     * server-side apply. One request, always: compare before the call.
     *
     * @param fragment built fresh: name, namespace and the part of the status
     */
    public <R extends HasMetadata> R applyStatus(Source<R> source, R fragment) {
        return write(
                source,
                fragment,
                maps.of(fragment),
                f -> at(f).subresource("status").patch(apply));
    }

    /**
     * Deletes this object and no other that has its name by now: the request names its UID. One that is gone, replaced or
     * being deleted is left alone.
     *
     * @param actual as it was read, of a class that names its kind
     */
    public void delete(HasMetadata actual) {
        requests.incrementAndGet();
        deletion.send(actual, false);
    }

    /**
     * As {@link #delete}, and only if nothing about the object has changed since it was read: for decisions that rest on
     * its content. Of a watched kind with a namespace.
     *
     * @return whether it is deleted; if not, read it again and decide again
     */
    public boolean deleteIfUnchanged(HasMetadata actual) {
        requests.incrementAndGet();
        return deletion.isDone(actual) || (!hasChanged(actual) && deletion.send(actual, true));
    }

    /** How often objects have been addressed or deleted, by all callers: while it stays, none of them has been written. */
    public long requests() {
        return requests.get();
    }

    /** Where an object lies: its name may come from a field of another object. */
    private <R extends HasMetadata> NamespaceableResource<R> at(R object) {
        requests.incrementAndGet();
        String unused = ObjectName.require(object.getMetadata().getName());
        return client.resource(object);
    }

    private <R extends HasMetadata> R send(
            Source<R> source, R actual, Map<String, Object> difference, boolean guarded) {
        if (difference.isEmpty()) {
            return actual;
        }
        String body = guarded
                ? ifUnchanged(difference, actual)
                : body(difference, "uid", actual.getMetadata().getUid());
        return write(source, actual, difference, a -> at(a).patch(merge, body));
    }

    /**
     * The body of a patch that the API server takes only for the object as it was read.
     *
     * @throws KubernetesClientException as the API server's, if the object has changed already
     */
    private String ifUnchanged(Map<String, Object> difference, HasMetadata actual) {
        if (hasChanged(actual)) {
            throw new KubernetesClientException(
                    "%s %s has changed since it was read"
                            .formatted(actual.getKind(), actual.getMetadata().getName()),
                    HttpURLConnection.HTTP_CONFLICT,
                    null);
        }
        return body(difference, "resourceVersion", actual.getMetadata().getResourceVersion());
    }

    /**
     * Whether the API server has a later state than was read. One that is gone is for the write to find. Listed, which is
     * the right that a watched kind needs anyway.
     */
    private boolean hasChanged(HasMetadata actual) {
        ObjectMeta metadata = actual.getMetadata();
        return client
                .resources(actual.getClass())
                .inNamespace(metadata.getNamespace())
                .withField("metadata.name", ObjectName.require(metadata.getName()))
                .list()
                .getItems()
                .stream()
                .anyMatch(
                        now -> !Objects.equals(now.getMetadata().getResourceVersion(), metadata.getResourceVersion()));
    }

    private String body(Map<String, Object> difference, String precondition, String value) {
        return serialization.asJson(Differences.onlyIf(difference, precondition, value));
    }

    private <R extends HasMetadata> R write(
            Source<R> source, R target, Map<String, Object> written, UnaryOperator<R> request) {
        return source.write(
                target,
                request,
                (before, after) ->
                        ConcurrentChangeDetector.haveChanged(maps.compared(before), maps.compared(after), written));
    }

    private boolean differs(HasMetadata desired, HasMetadata actual) {
        Map<String, Object> wanted = maps.of(desired);
        return !Differences.applying(wanted, maps.of(actual)).isEmpty()
                || OwnedFields.of(actual, Objects.requireNonNull(apply.getFieldManager()))
                        .exceed(wanted);
    }

    private static void orExists(Runnable creation) {
        try {
            creation.run();
        } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                throw e;
            }
        }
    }
}
