package io.capoa.runtime.status;

import io.capoa.api.conditions.Condition;
import io.capoa.api.conversion.ConversionLoss;
import io.fabric8.kubernetes.api.model.HasMetadata;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Builds an object's conditions during one reconcile. Keeps the transition time of a condition whose status is
 * unchanged; a condition that is not set again is removed.
 */
public final class Conditions {

    private static final int LONGEST_MESSAGE = 4096;

    private final Map<String, Condition> before = new TreeMap<>();
    private final Map<String, Condition> now = new TreeMap<>();
    private final @Nullable Long generation;
    private final String time;

    private Conditions(@Nullable List<Condition> previous, @Nullable Long generation, Clock clock) {
        if (previous != null) {
            previous.forEach(c -> before.put(c.type(), c));
        }
        this.generation = generation;
        this.time = clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
    }

    /**
     * Begins a reconcile's conditions.
     *
     * @param previous what {@code status.conditions} holds
     * @param generation {@code metadata.generation} of the observed object
     */
    public static Conditions after(@Nullable List<Condition> previous, @Nullable Long generation, Clock clock) {
        return new Conditions(previous, generation, clock);
    }

    /** Begins the conditions of one of our own objects: what its conversion from an older version has lost is the first. */
    public static Conditions of(HasMetadata object, @Nullable List<Condition> previous, Clock clock) {
        Conditions conditions = after(previous, object.getMetadata().getGeneration(), clock);
        ConversionLoss.of(object.getMetadata().getAnnotations())
                .ifPresentOrElse(
                        loss -> conditions.isTrue(ConversionLoss.CONDITION, loss.reason(), loss.message()),
                        () -> conditions.before.remove(ConversionLoss.CONDITION));
        return conditions;
    }

    public Conditions isTrue(String type, String reason, String message) {
        return set(type, Condition.TRUE, reason, message);
    }

    public Conditions isFalse(String type, String reason, String message) {
        return set(type, Condition.FALSE, reason, message);
    }

    /** Sets a condition to False with the blocker's reason and message. */
    public Conditions isFalse(String type, Blocker blocker) {
        return isFalse(type, blocker.reason(), blocker.message());
    }

    public Conditions isUnknown(String type, String reason, String message) {
        return set(type, Condition.UNKNOWN, reason, message);
    }

    /** Sets a condition; the last call for a type counts. */
    public Conditions set(String type, String status, String reason, String message) {
        Condition previous = before.get(type);
        String since = previous != null && previous.status().equals(status) ? previous.lastTransitionTime() : time;
        now.put(type, new Condition(type, status, reason, readable(message), since, generation));
        return this;
    }

    /**
     * A message names what is wrong; whatever it quotes, an object with all its conditions stays small, and no terminal takes
     * a part of it for a command.
     */
    private static String readable(String message) {
        String shortened = message.length() <= LONGEST_MESSAGE
                ? message
                : message.substring(0, message.offsetByCodePoints(0, message.codePointCount(0, LONGEST_MESSAGE))) + "…";
        return shortened.chars().noneMatch(Conditions::isControl)
                ? shortened
                : shortened
                        .chars()
                        .map(character -> isControl(character) ? ' ' : character)
                        .collect(StringBuilder::new, (text, unit) -> text.append((char) unit), StringBuilder::append)
                        .toString();
    }

    /** The lines of a message stay. */
    private static boolean isControl(int character) {
        return character != '\n' && Character.isISOControl(character);
    }

    /** Leaves a condition as it was, if it was there: for what this reconcile did not look at. */
    public Conditions keep(String type) {
        Condition previous = before.get(type);
        if (previous != null && !now.containsKey(type)) {
            now.put(type, previous);
        }
        return this;
    }

    /** What this reconcile has set so far. */
    public Optional<Condition> get(String type) {
        return Optional.ofNullable(now.get(type));
    }

    /** What the object had before this reconcile. */
    public Optional<Condition> previous(String type) {
        return Optional.ofNullable(before.get(type));
    }

    /** Everything set, by type. */
    public List<Condition> toList() {
        return List.copyOf(now.values());
    }
}
