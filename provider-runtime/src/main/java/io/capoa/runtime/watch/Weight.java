package io.capoa.runtime.watch;

import java.lang.reflect.RecordComponent;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Estimates the memory that a value of an own kind takes. */
final class Weight {

    /** Of any value beside its text, in bytes. */
    private static final long VALUE = 32;

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
                VALUE
                        + map.entrySet().stream()
                                .mapToLong(entry -> of(entry.getKey()) + of(entry.getValue()))
                                .sum();
            case Collection<?> list ->
                VALUE + list.stream().mapToLong(Weight::of).sum();
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
