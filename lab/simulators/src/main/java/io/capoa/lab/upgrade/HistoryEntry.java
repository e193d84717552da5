package io.capoa.lab.upgrade;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * An entry of a ClusterVersion's history.
 *
 * @param applied whether the release was applied completely; else the entry is Partial
 * @param completed end of the update, or when another one superseded it
 * @param verified whether the release's signature was verified
 * @param acceptedRisks what the update went ahead in spite of; empty for nothing
 */
public record HistoryEntry(
        Payload payload,
        boolean applied,
        Instant started,
        Optional<Instant> completed,
        boolean verified,
        String acceptedRisks) {

    private static final int LONGEST = 100;

    /** A new entry of a payload that is being applied. */
    public static HistoryEntry start(Payload payload, Instant now, boolean verified, String acceptedRisks) {
        return new HistoryEntry(payload, false, now, Optional.empty(), verified, acceptedRisks);
    }

    /** This entry, with its payload applied. */
    public HistoryEntry apply(Instant now) {
        return new HistoryEntry(payload, true, started, Optional.of(now), verified, acceptedRisks);
    }

    /** The history with a new first entry; one that is superseded ends, but stays Partial. */
    static List<HistoryEntry> add(List<HistoryEntry> history, HistoryEntry entry) {
        List<HistoryEntry> result = new ArrayList<>(List.of(entry));
        for (HistoryEntry before : history) {
            boolean superseded = before.completed().isEmpty();
            result.add(
                    superseded
                            ? new HistoryEntry(
                                    before.payload,
                                    before.applied,
                                    before.started,
                                    Optional.of(entry.started),
                                    before.verified,
                                    before.acceptedRisks)
                            : before);
        }
        return List.copyOf(result.subList(0, Math.min(LONGEST, result.size())));
    }

    /** The current version by the operator's rule: the newest one that was applied, else the oldest entry. */
    static Payload current(List<HistoryEntry> history) {
        return history.stream()
                .filter(HistoryEntry::applied)
                .findFirst()
                .orElseGet(history::getLast)
                .payload();
    }
}
