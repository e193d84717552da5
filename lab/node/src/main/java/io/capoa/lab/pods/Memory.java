package io.capoa.lab.pods;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Memory that counts against a container's limit. */
public final class Memory {

    /** Whether this system lists the processes that a thread has started; without, all processes are searched for them. */
    private static final boolean LISTS_CHILDREN = Files.exists(Path.of("/proc/thread-self/children"));

    private Memory() {}

    /**
     * Anonymous and shared memory of a process in bytes. File pages, such as jars and class archives, do not count,
     * because the kernel reclaims them before it kills. Processes that it has started count. Empty if the system does
     * not report it.
     */
    public static OptionalLong used(long pid) {
        OptionalLong own = alone(pid);
        if (own.isEmpty()) {
            return own;
        }
        long others = children(pid)
                .mapToObj(Memory::used)
                .flatMapToLong(OptionalLong::stream)
                .sum();
        return OptionalLong.of(own.getAsLong() + others);
    }

    private static LongStream children(long pid) {
        if (!LISTS_CHILDREN) {
            return ProcessHandle.of(pid).stream()
                    .flatMap(ProcessHandle::children)
                    .mapToLong(ProcessHandle::pid);
        }
        try (Stream<Path> threads = Files.list(Path.of("/proc/" + pid + "/task"))) {
            return LongStream.of(threads.flatMapToLong(Memory::startedBy).toArray());
        } catch (IOException | UncheckedIOException e) {
            // It has exited.
            return LongStream.empty();
        }
    }

    private static LongStream startedBy(Path thread) {
        try {
            return Stream.of(Files.readString(thread.resolve("children")).split(" "))
                    .filter(id -> !id.isEmpty())
                    .mapToLong(Long::parseLong);
        } catch (IOException e) {
            return LongStream.empty();
        }
    }

    private static OptionalLong alone(long pid) {
        try {
            long kibibytes = Files.readAllLines(Path.of("/proc/" + pid + "/status")).stream()
                    .filter(line -> line.startsWith("RssAnon:") || line.startsWith("RssShmem:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                    .sum();
            return kibibytes == 0 ? OptionalLong.empty() : OptionalLong.of(kibibytes * 1024);
        } catch (IOException e) {
            return OptionalLong.empty();
        }
    }
}
