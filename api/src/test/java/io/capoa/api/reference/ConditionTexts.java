package io.capoa.api.reference;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The texts about the conditions and reasons of one kind, in Markdown, from {@code conditions.yaml}.
 *
 * @param kind heading of its section
 * @param constants name of the class that has them
 * @param about introduction
 * @param conditions by type; empty where there are reasons alone
 * @param reasons by name
 */
record ConditionTexts(
        String kind, String constants, String about, Map<String, Type> conditions, Map<String, Reason> reasons) {

    private static final String FILE = "conditions.yaml";

    ConditionTexts {
        conditions = Objects.requireNonNullElse(conditions, Map.of());
    }

    /**
     * A condition type.
     *
     * @param good the status of a healthy object, or {@code absent}
     */
    record Type(
            String good,
            @Nullable String whenTrue,
            @Nullable String whenFalse,
            @Nullable String whenUnknown) {

        /** What a status means; empty for one that the condition never has. */
        Optional<String> meaning(String status) {
            return Optional.ofNullable(
                    switch (status) {
                        case "True" -> whenTrue;
                        case "False" -> whenFalse;
                        case "Unknown" -> whenUnknown;
                        default -> null;
                    });
        }
    }

    /**
     * A reason.
     *
     * @param on conditions that give it, as {@code Type=Status}; without {@code Ready}, which repeats others
     * @param event type of the Event that it becomes, if it does
     * @param normal whether a healthy object has it, so that there is neither cause nor remedy
     */
    record Reason(
            List<String> on,
            @Nullable String event,
            boolean normal,
            String meaning,
            @Nullable String cause,
            @Nullable String remedy) {

        Reason {
            on = Objects.requireNonNullElse(on, List.of());
        }
    }

    /** All kinds, in the order of the file. */
    static List<ConditionTexts> all() {
        try (InputStream in = Objects.requireNonNull(ConditionTexts.class.getResourceAsStream(FILE), FILE)) {
            return new YAMLMapper().readValue(in, new TypeReference<>() {});
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Names of condition types and reasons. */
    Stream<String> names() {
        return Stream.concat(conditions.keySet().stream(), reasons.keySet().stream());
    }

    /** Identifies a type or reason within the page. */
    String anchor(String name) {
        return (kind + "-" + name).toLowerCase(Locale.ROOT).replace(' ', '-');
    }
}
