package io.capoa.runtime.watch;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Secret;
import java.lang.reflect.RecordComponent;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Estimates the memory that an object, or a value in it, takes. */
final class Weight {

    /** Of any value beside its text, in bytes. */
    private static final long VALUE = 40;

    /** Of a map with its table, in bytes. */
    private static final long MAP = 128;

    /** Of an entry in the table, beside key and value, in bytes. */
    private static final long ENTRY = 56;

    /** Finding them takes long. */
    private static final ClassValue<RecordComponent[]> COMPONENTS = new ClassValue<>() {
        @Override
        protected RecordComponent[] computeValue(Class<?> type) {
            return type.getRecordComponents();
        }
    };

    private Weight() {}

    /** In bytes, one for each character. */
    static long of(@Nullable Object value) {
        return switch (value) {
            case null -> 0;
            case String text -> VALUE + text.length();
            case Number ignored -> VALUE;
            case Boolean ignored -> VALUE;
            case Map<?, ?> map ->
                MAP
                        + map.entrySet().stream()
                                .mapToLong(entry -> ENTRY + of(entry.getKey()) + of(entry.getValue()))
                                .sum();
            case Collection<?> list ->
                VALUE + list.stream().mapToLong(Weight::of).sum();
            case GenericKubernetesResource generic -> of(generic.getMetadata()) + of(generic.getAdditionalProperties());
            case Secret secret -> of(secret.getMetadata()) + of(secret.getData()) + of(secret.getStringData());
            case ObjectMeta metadata ->
                MAP
                        + of(metadata.getAnnotations())
                        + of(metadata.getLabels())
                        + of(metadata.getFinalizers())
                        + of(metadata.getOwnerReferences())
                        + of(metadata.getManagedFields());
            case Record fields -> VALUE + of(fields);
            default -> VALUE + value.toString().length();
        };
    }

    private static long of(Record fields) {
        long sum = 0;
        for (RecordComponent component : COMPONENTS.get(fields.getClass())) {
            try {
                sum += of(component.getAccessor().invoke(fields));
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("records of the API are public", e);
            }
        }
        return sum;
    }
}
