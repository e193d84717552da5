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
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Content of {@code report.json}.
 *
 * @param startedAt start time of the lab, RFC 3339
 * @param secondsToStart until API server, peers and providers were ready
 * @param ready whether all clusters became ready
 * @param summary main figures of the run
 * @param clusters seconds from apply to Ready of each, absent if it is not Ready
 * @param users requests to the management API server by each user since the files were applied
 * @param processes figures of each process that the lab started, and of the lab itself
 * @param benchmark absent unless it was asked for
 */
public record Report(
        String startedAt,
        double secondsToStart,
        boolean ready,
        Summary summary,
        List<ClusterFigures> clusters,
        SortedMap<String, UserFigures> users,
        SortedMap<String, ProcessFigures> processes,
        @Nullable Benchmark benchmark) {

    private static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    /**
     * Main figures of a run.
     *
     * @param wallSeconds from the first apply until the last cluster was Ready, or until the timeout
     * @param firstReadySeconds until the first cluster was Ready, absent if none is
     * @param providerCpuSecondsPerCluster of both providers together since the files were applied, without their start
     * @param providerWritesPerCluster of both providers together
     */
    public record Summary(
            int clusters,
            double wallSeconds,
            @Nullable Double firstReadySeconds,
            double providerCpuSecondsPerCluster,
            double providerWritesPerCluster) {}

    /**
     * What is measured after the last cluster is Ready.
     *
     * @param restSeconds length of the rest
     * @param rest figures of each process at its end; the CPU time is that of the rest
     * @param reconciles started until its end, by process
     * @param triggers what has woken those reconciles, by process
     * @param received bytes of answers of the API server, by process
     * @param writes until its end, by user, then by verb and resource
     * @param restart of both managers, after the rest
     */
    public record Benchmark(
            double restSeconds,
            SortedMap<String, ProcessFigures> rest,
            SortedMap<String, Long> reconciles,
            SortedMap<String, ReconcileTriggers> triggers,
            SortedMap<String, Long> received,
            SortedMap<String, SortedMap<String, Long>> writes,
            Restart restart) {}

    /**
     * A restart of both managers, until they have reconciled every object and their statuses are written.
     *
     * @param availableSeconds until the new pods of both were available
     * @param processes figures of each process at the end; the CPU time of the managers is that of the new processes
     * @param reconciles started by the new processes, by process
     * @param requests completed in that time, by user, then by verb and resource; a watch that goes on is not completed
     */
    public record Restart(
            double availableSeconds,
            SortedMap<String, ProcessFigures> processes,
            SortedMap<String, Long> reconciles,
            SortedMap<String, SortedMap<String, Long>> requests) {}

    /** Installation time of one cluster. */
    public record ClusterFigures(
            String namespace, String name, @Nullable Double secondsToReady) {}

    /**
     * Requests of one user to the API server; {@code conflicts} are writes with status 409, {@code failed} all requests
     * above 399.
     */
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

    /** Counts the requests after a position in the audit log. */
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

    /** Counts the writes after a position in the audit log by user, then by verb and resource. */
    public static SortedMap<String, SortedMap<String, Long>> writes(AuditLog log, AuditLog.Mark mark) {
        return count(log, mark, AuditEntry::isWrite);
    }

    /** Counts the requests after a position in the audit log by user, then by verb and resource. */
    public static SortedMap<String, SortedMap<String, Long>> requests(AuditLog log, AuditLog.Mark mark) {
        return count(log, mark, request -> true);
    }

    private static SortedMap<String, SortedMap<String, Long>> count(
            AuditLog log, AuditLog.Mark mark, Predicate<AuditEntry> counted) {
        SortedMap<String, SortedMap<String, Long>> requests = new TreeMap<>();
        var unused = log.read(mark, entry -> {
            if (counted.test(entry)) {
                String subresource = entry.subresource().isEmpty() ? "" : "/" + entry.subresource();
                requests.computeIfAbsent(entry.user(), user -> new TreeMap<>())
                        .merge(entry.verb() + " " + entry.resource() + subresource, 1L, Long::sum);
            }
        });
        return requests;
    }

    /** Seconds between two times, with milliseconds. */
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
