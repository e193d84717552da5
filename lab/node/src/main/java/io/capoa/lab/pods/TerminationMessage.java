package io.capoa.lab.pods;

import io.capoa.lab.cluster.LogTail;
import io.fabric8.kubernetes.api.model.Container;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The message of a container's end, as a kubelet reads it: the file at {@code terminationMessagePath}, or, where the policy
 * is {@code FallbackToLogsOnError}, the end of the log of a container that failed without a message.
 *
 * @param file in place of the container's {@code terminationMessagePath}
 */
record TerminationMessage(Container container, Path file) {

    /** What a kubelet reads of the file, from its end. */
    private static final int LONGEST_FILE = 4 * 1024;

    /** What a kubelet reads of a log. */
    private static final int LONGEST_LOG = 2 * 1024;

    private static final int LINES_OF_LOG = 80;

    /** Path in the container; the API server sets the default. */
    String path() {
        String path = container.getTerminationMessagePath();
        return path == null || path.isEmpty() ? "/dev/termination-log" : path;
    }

    /** Empties the file: each start of a container has another one. */
    void clear() throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.write(file, new byte[0]);
    }

    /** The message of a process that has ended; empty without. */
    String read(int exitCode, Path log) {
        String written = written();
        boolean asksLog = "FallbackToLogsOnError".equals(container.getTerminationMessagePolicy());
        return written.isEmpty() && exitCode != 0 && asksLog ? endOf(log) : written;
    }

    private String written() {
        try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
            in.seek(Math.max(0, in.length() - LONGEST_FILE));
            byte[] bytes = new byte[(int) (in.length() - in.getFilePointer())];
            in.readFully(bytes);
            return new String(bytes, StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "";
        }
    }

    private static String endOf(Path log) {
        List<String> lines = LogTail.of(log, LINES_OF_LOG);
        String text = lines.isEmpty() ? "" : String.join("\n", lines) + "\n";
        return text.substring(Math.max(0, text.length() - LONGEST_LOG));
    }
}
