package io.capoa.runtime.watch;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Secret;
import java.lang.reflect.RecordComponent;
import java.util.Collection;
import java.util.Map;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Estimates the memory that an object, or a value in it, takes. */
final class Weight {

    /** Of any value beside its text, in bytes. */
    private static final long VALUE = 40;

    /** Of a map with its table, in bytes. */
    private static final long MAP = 128;

    /** Of an entry in the table, beside key and value, in bytes. */
    private static final long ENTRY = 56;

    private static final long NUMBER = 16;

    /**
     * Longest key that counts as the name of a field, of which parsers keep one text for all objects. Where it is not one,
     * but a key that no other object has, most of it is within what is counted for its entry.
     */
    private static final int LONGEST_NAME = 24;

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
            case Number ignored -> NUMBER;
            case Boolean ignored -> 0;
            case Map<?, ?> map -> of(map, Weight::ofName);
            case Collection<?> list ->
                VALUE + list.stream().mapToLong(Weight::of).sum();
            case GenericKubernetesResource generic -> of(generic.getMetadata()) + of(generic.getAdditionalProperties());
            case Secret secret ->
                of(secret.getMetadata()) + ofChosen(secret.getData()) + ofChosen(secret.getStringData());
            case ObjectMeta metadata ->
                MAP
                        + ofChosen(metadata.getAnnotations())
                        + ofChosen(metadata.getLabels())
                        + of(metadata.getFinalizers())
                        + of(metadata.getOwnerReferences())
                        + of(metadata.getManagedFields());
            case Record fields -> VALUE + of(fields);
            default -> VALUE + value.toString().length();
        };
    }

    private static long of(Map<?, ?> map, ToLongFunction<Object> ofKey) {
        return MAP
                + map.entrySet().stream()
                        .mapToLong(entry -> ENTRY + ofKey.applyAsLong(entry.getKey()) + of(entry.getValue()))
                        .sum();
    }

    private static long ofName(Object key) {
        return key instanceof String name && name.length() <= LONGEST_NAME ? 0 : of(key);
    }

    /** Of a map whose keys users choose. */
    private static long ofChosen(@Nullable Map<String, String> map) {
        return map == null ? 0 : of(map, Weight::of);
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
