package io.capoa.controlplane.steps.install;

import io.capoa.api.Digest;
import io.capoa.api.controlplane.v1beta1.ControlPlaneConditions;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.api.untrusted.LongInput;
import io.capoa.runtime.status.ReportedConditions;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Remembers across restarts which inputs of users were refused, so that they are not parsed again. The message of the
 * condition that refuses one ends with its digest. A long one is announced by a condition before it is parsed: if the
 * manager ends meanwhile, the next one counts that attempt.
 */
public final class InputMemory {

    /** What to do with an input. */
    sealed interface Next {

        /** Nothing is known of it, or its check has been announced. */
        record Parse() implements Next {}

        /** Its check is to be announced by {@link #checking} first. */
        record Announce(int attempt) implements Next {}

        /**
         * It was refused before.
         *
         * @param message of the condition, with the digest
         */
        record Refused(String message) implements Next {}

        /** Every attempt to parse it ended with the manager, or with a failure. */
        record GiveUp() implements Next {}
    }

    private record Announced(String digest, int attempt) {}

    /**
     * The end of a condition's message.
     *
     * @param attempt 0 if the message refuses the input
     */
    private record Mark(String digest, int attempt, String message) {

        private static final Pattern FORM = Pattern.compile(" \\(input ([a-z0-9]+)(?:, attempt ([0-9]{1,4}))?\\)$");

        static Optional<Mark> in(String message) {
            Matcher end = FORM.matcher(message);
            return end.find()
                    ? Optional.of(
                            new Mark(end.group(1), end.group(2) == null ? 0 : Integer.parseInt(end.group(2)), message))
                    : Optional.empty();
        }

        boolean isRefusal() {
            return attempt == 0;
        }
    }

    /** How often a long input is parsed if the manager ends meanwhile, for which there may be another cause. */
    static final int ATTEMPTS = 3;

    private static final int LENGTH = 10;

    /** Conditions that have the message of a refused input as it is. */
    private static final List<String> REFUSING = List.of(
            ControlPlaneConditions.INSTALL_SUCCEEDING,
            ControlPlaneConditions.RELEASE_RESOLVED,
            ControlPlaneConditions.UPGRADE_AVAILABLE);

    private final String version;

    /** What this process has announced and not begun. */
    private final Map<ResourceID, Announced> announced = new ConcurrentHashMap<>();

    /** @param version of the manager: another one may judge otherwise */
    public InputMemory(String version) {
        this.version = version;
    }

    /**
     * Names an input.
     *
     * @param parts its content, and all else that the verdict depends on
     */
    String digest(List<String> parts) {
        long length = parts.stream().mapToLong(String::length).sum();
        return LongInput.parse(
                length,
                () -> Digest.of(
                        Stream.concat(Stream.of(version), parts.stream()).toList(), LENGTH));
    }

    /** The message that refuses an input, for a condition. */
    static String refused(String message, String digest) {
        return "%s (input %s)".formatted(message, digest);
    }

    /** The message that announces the check of an input, for a condition. */
    static String checking(String message, String digest, int attempt) {
        return "%s (input %s, attempt %d)".formatted(message, digest, attempt);
    }

    /** The message of the condition that refuses this input; empty if it was not refused. */
    static Optional<String> refusal(OpenshiftAssistedControlPlane controlPlane, String digest) {
        return marks(ReportedConditions.in(controlPlane.getStatus()), digest)
                .filter(Mark::isRefusal)
                .map(Mark::message)
                .findFirst();
    }

    /**
     * What to do with an input now. After {@link Next.Parse} the caller parses it at once.
     *
     * @param length of its content, in characters
     */
    Next next(OpenshiftAssistedControlPlane controlPlane, String digest, long length) {
        ResourceID id = ResourceID.fromResource(controlPlane);
        Announced here = announced.get(id);
        Next next = decide(
                ReportedConditions.in(controlPlane.getStatus()),
                digest,
                length,
                here != null && here.digest().equals(digest) ? here.attempt() : 0);
        if (next instanceof Next.Announce announce) {
            announced.put(id, new Announced(digest, announce.attempt()));
        } else {
            forget(id);
        }
        return next;
    }

    /**
     * The decision.
     *
     * @param here attempt that this process has announced and not begun; 0 for none
     */
    static Next decide(ReportedConditions reported, String digest, long length, int here) {
        Optional<Mark> known = marks(reported, digest).findFirst();
        if (known.isPresent() && known.get().isRefusal()) {
            return new Next.Refused(known.get().message());
        }
        if (length <= LongInput.SHORT) {
            return new Next.Parse();
        }
        int attempt = known.map(Mark::attempt).orElse(0);
        if (here > 0) {
            return attempt == here ? new Next.Parse() : new Next.Announce(here);
        }
        return attempt < ATTEMPTS ? new Next.Announce(attempt + 1) : new Next.GiveUp();
    }

    /** Drops what this process remembers of a control plane. */
    void forget(ResourceID controlPlane) {
        announced.remove(controlPlane);
    }

    private static Stream<Mark> marks(ReportedConditions reported, String digest) {
        return REFUSING.stream()
                .flatMap(type -> reported.get(type).stream())
                .flatMap(condition -> Mark.in(condition.message()).stream())
                .filter(mark -> mark.digest().equals(digest));
    }
}
