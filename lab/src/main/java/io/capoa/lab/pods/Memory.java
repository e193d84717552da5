package io.capoa.lab.pods;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/** What the kernel would hold against a container's memory limit. */
final class Memory {

    private Memory() {}

    /**
     * Bytes of a process that cannot be given back: anonymous and shared memory. Pages of files, such as jars and class
     * archives, are left out, as the kernel drops them before it kills. Empty where the system does not tell.
     */
    static OptionalLong used(long pid) {
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
