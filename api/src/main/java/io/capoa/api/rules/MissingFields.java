package io.capoa.api.rules;

import io.capoa.api.ReadInPart;
import io.fabric8.generator.annotation.Required;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds what an object lacks that was stored, through an older version, without what v1beta1 requires or with a value of
 * another type.
 */
public final class MissingFields {

    /** The parts of each type by their accessors, which take long to find. */
    private static final ClassValue<List<Part>> PARTS = new ClassValue<>() {
        @Override
        protected List<Part> computeValue(Class<?> type) {
            return Arrays.stream(type.getRecordComponents()).map(Part::of).toList();
        }
    };

    private record Part(RecordComponent component, boolean required) {

        static Part of(RecordComponent component) {
            try {
                return new Part(
                        component,
                        component
                                .getDeclaringRecord()
                                .getDeclaredField(component.getName())
                                .isAnnotationPresent(Required.class));
            } catch (NoSuchFieldException e) {
                throw new IllegalStateException("a record has a field for each component", e);
            }
        }

        @Nullable
        Object of(Object holder) {
            try {
                return component.getAccessor().invoke(holder);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException("our records are public", e);
            }
        }
    }

    private MissingFields() {}

    /** What is wrong with the first field of the spec that is required and absent, or whose value was not read. */
    public static Optional<String> of(ReadInPart object) {
        return object.unreadable().stream()
                .filter(reason -> reason.startsWith("spec"))
                .findFirst()
                .or(() -> first("spec", object.getSpec()).map(path -> path + " is missing"));
    }

    /** Whether the object is stored without any spec, and without values of wrong types. */
    public static boolean lacksWholeSpec(ReadInPart object) {
        return object.getSpec() == null && object.unreadable().isEmpty();
    }

    /** What is wrong, and what to do about it, unless that is said already. */
    public static String withRemedy(String problem, String remedy) {
        return problem.contains(": ") ? problem : problem + ": " + remedy;
    }

    /** The first required field that is absent, such as {@code spec.machineTemplate.spec}. */
    public static Optional<String> first(String path, @Nullable Object value) {
        return in(path, value, true);
    }

    private static Optional<String> in(String path, @Nullable Object value, boolean required) {
        if (value == null) {
            return required ? Optional.of(path) : Optional.empty();
        }
        return within(path, value).flatMap(Optional::stream).findFirst();
    }

    private static Stream<Optional<String>> within(String path, Object value) {
        if (value instanceof List<?> list) {
            return IntStream.range(0, list.size()).mapToObj(i -> in(path + "[" + i + "]", list.get(i), true));
        }
        Class<?> type = value.getClass();
        return type.isRecord() && type.getPackageName().startsWith("io.capoa.api")
                ? PARTS.get(type).stream()
                        .map(part -> in(path + "." + part.component().getName(), part.of(value), part.required()))
                : Stream.empty();
    }
}
