package io.capoa.lab.pods;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/** Memory that counts against a container's limit. */
final class Memory {

    private Memory() {}

    /**
     * Anonymous and shared memory of a process in bytes. File pages, such as jars and class archives, do not count,
     * because the kernel reclaims them before it kills. Empty if the system does not report it.
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
