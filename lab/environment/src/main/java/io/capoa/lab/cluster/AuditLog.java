package io.capoa.lab.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * An audit log in {@code audit.k8s.io/v1} JSON lines, one per completed request. The server writes the line before it
 * ends the response, so a request that has returned is in the log.
 */
public record AuditLog(Path file) {

    /** How every event begins. */
    private static final String BEGIN = "{\"kind\":\"Event\",\"apiVersion\":\"audit.k8s.io";

    private static final ObjectMapper JSON = new ObjectMapper();

    /** The end of the last complete line at this moment. */
    public Mark mark() {
        if (!Files.exists(file)) {
            return start();
        }
        try (RandomAccessFile log = new RandomAccessFile(file.toFile(), "r")) {
            byte[] block = new byte[1 << 14];
            long end = log.length();
            while (end > 0) {
                int length = (int) Math.min(block.length, end);
                log.seek(end - length);
                log.readFully(block, 0, length);
                for (int i = length - 1; i >= 0; i--) {
                    if (block[i] == '\n') {
                        return new Mark(end - length + i + 1);
                    }
                }
                end -= length;
            }
            return start();
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read the audit log " + file, e);
        }
    }

    /** The beginning of the log. */
    public Mark start() {
        return new Mark(0);
    }

    /** Requests completed after the mark, in the order of the log. */
    public List<AuditEntry> since(Mark mark) {
        List<AuditEntry> entries = new ArrayList<>();
        Mark unused = read(mark, entries::add);
        return entries;
    }

    /**
     * As {@link #since(Mark)}, of the lines that contain the text, such as a namespace. Other lines are not parsed: with
     * their objects they are kilobytes each.
     */
    public List<AuditEntry> since(Mark mark, String text) {
        List<AuditEntry> entries = new ArrayList<>();
        Mark unused = read(mark, text, entries::add);
        return entries;
    }

    /** Number of writes after the mark, by user. */
    public SortedMap<String, Long> writesByUser(Mark mark) {
        return since(mark).stream()
                .filter(AuditEntry::isWrite)
                .collect(Collectors.groupingBy(AuditEntry::user, TreeMap::new, Collectors.counting()));
    }

    /**
     * Passes the requests completed after the mark to the reader.
     *
     * @return the end of the last complete line, to continue from
     */
    public Mark read(Mark mark, Consumer<AuditEntry> reader) {
        return read(mark, "", reader);
    }

    /** As {@link #read(Mark, Consumer)}, of the lines that contain the text. */
    public Mark read(Mark mark, String text, Consumer<AuditEntry> reader) {
        if (!Files.exists(file)) {
            return mark;
        }
        long position = mark.offset();
        try (FileChannel channel =
                        FileChannel.open(file, StandardOpenOption.READ).position(position);
                InputStream in = Channels.newInputStream(channel)) {
            byte[] block = new byte[1 << 16];
            ByteArrayOutputStream line = new ByteArrayOutputStream();
            for (int length = in.read(block); length >= 0; length = in.read(block)) {
                int begin = 0;
                for (int i = 0; i < length; i++) {
                    if (block[i] == '\n') {
                        line.write(block, begin, i - begin);
                        begin = i + 1;
                        position += line.size() + 1L;
                        pass(line.toString(StandardCharsets.UTF_8), text, reader);
                        line.reset();
                    }
                }
                line.write(block, begin, length - begin);
            }
            return new Mark(position);
        } catch (IOException e) {
            throw new UncheckedIOException("Cannot read the audit log " + file, e);
        }
    }

    private static void pass(String line, String text, Consumer<AuditEntry> reader) throws IOException {
        // A killed API server leaves half an event, to which its successor appends.
        String whole = line.substring(Math.max(0, line.lastIndexOf(BEGIN)));
        if (whole.contains(text)) {
            JsonNode event = JSON.readTree(whole);
            if (event.isObject()) {
                reader.accept(AuditEntry.of(event));
            }
        }
    }

    /** A position in the log, as byte offset. */
    public record Mark(long offset) {}
}
