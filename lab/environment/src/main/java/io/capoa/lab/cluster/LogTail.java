package io.capoa.lab.cluster;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** Reads the end of a log without reading the rest. */
public final class LogTail {

    private static final int LONG_LINE_BYTES = 2 * 1024;

    private LogTail() {}

    /** Up to {@code count} last lines; none if the file cannot be read. */
    public static List<String> of(Path file, int count) {
        try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
            long start = Math.max(0, in.length() - (long) count * LONG_LINE_BYTES);
            in.seek(start);
            byte[] bytes = new byte[(int) (in.length() - start)];
            in.readFully(bytes);
            List<String> lines =
                    new String(bytes, StandardCharsets.UTF_8).lines().toList();
            return lines.subList(Math.max(0, lines.size() - count), lines.size());
        } catch (IOException e) {
            return List.of();
        }
    }
}
