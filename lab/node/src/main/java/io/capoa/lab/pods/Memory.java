package io.capoa.lab.pods;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.stream.LongStream;

/** Memory that counts against a container's limit. */
public final class Memory {

    private Memory() {}

    /**
     * Anonymous and shared memory of a process in bytes. File pages, such as jars and class archives, do not count,
     * because the kernel reclaims them before it kills. Processes that it has started count. Empty if the system does
     * not report it.
     */
    public static OptionalLong used(long pid) {
        LongStream started = ProcessHandle.of(pid).stream()
                .flatMap(ProcessHandle::descendants)
                .mapToLong(ProcessHandle::pid);
        OptionalLong own = alone(pid);
        long others = started.mapToObj(Memory::alone)
                .flatMapToLong(OptionalLong::stream)
                .sum();
        return own.isEmpty() ? own : OptionalLong.of(own.getAsLong() + others);
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
