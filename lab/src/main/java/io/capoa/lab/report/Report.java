package io.capoa.lab.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.capoa.lab.cluster.AuditEntry;
import io.capoa.lab.cluster.AuditLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What {@code report.json} holds.
 *
 * @param startedAt when the lab began to start, RFC 3339
 * @param secondsToStart until API server, neighbours and providers were ready
 * @param ready whether all clusters became ready
 * @param summary the run in a few figures
 * @param clusters seconds from apply to Ready of each, absent while it is not
 * @param users requests to the management API server by each user since the files were applied
 * @param processes figures of each process that the lab started, and of the lab itself
 */
public record Report(
        String startedAt,
        double secondsToStart,
        boolean ready,
        Summary summary,
        List<ClusterFigures> clusters,
        SortedMap<String, UserFigures> users,
        SortedMap<String, ProcessFigures> processes) {

    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    /**
     * What the run cost.
     *
     * @param wallSeconds from the first apply until the last cluster was Ready, or until the run was given up
     * @param firstReadySeconds until the first cluster was Ready, absent while none is
     * @param providerCpuSecondsPerCluster of both providers together since the files were applied, without their start
     * @param providerWritesPerCluster of both providers together
     */
    public record Summary(
            int clusters,
            double wallSeconds,
            @Nullable Double firstReadySeconds,
            double providerCpuSecondsPerCluster,
            double providerWritesPerCluster) {}

    /** How long one cluster took. */
    public record ClusterFigures(
            String namespace, String name, @Nullable Double secondsToReady) {}

    /** What one user asked of the API server; {@code conflicts} are writes answered 409, {@code failed} all above 399. */
    public record UserFigures(long requests, long writes, long conflicts, long failed) {

        private static final int CONFLICT = 409;
        private static final int FIRST_FAILURE = 400;

        private UserFigures plus(AuditEntry entry) {
            return new UserFigures(
                    requests + 1,
                    writes + (entry.isWrite() ? 1 : 0),
                    conflicts + (entry.isWrite() && entry.code() == CONFLICT ? 1 : 0),
                    failed + (entry.code() >= FIRST_FAILURE ? 1 : 0));
        }
    }

    /** Counts the requests after a point of the audit log. */
    public static SortedMap<String, UserFigures> users(AuditLog log, AuditLog.Mark mark) {
        SortedMap<String, UserFigures> users = new TreeMap<>();
        var unused = log.read(
                mark,
                entry -> users.put(
                        entry.user(),
                        users.getOrDefault(entry.user(), new UserFigures(0, 0, 0, 0))
                                .plus(entry)));
        return users;
    }

    /** Seconds between two moments, to the millisecond. */
    public static double seconds(Instant from, Instant to) {
        return java.time.Duration.between(from, to).toMillis() / 1000.0;
    }

    public void write(Path file) {
        try {
            JSON.writeValue(file.toFile(), this);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot write " + file, e);
        }
    }
}
