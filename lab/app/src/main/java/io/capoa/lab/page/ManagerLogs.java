package io.capoa.lab.page;

import static java.util.Comparator.comparing;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.capoa.lab.page.Detail.LogLine;
import io.capoa.lab.page.Detail.Ref;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Reads what the managers logged about objects, from the end of their log files: JSON, one object a line. */
final class ManagerLogs {

    /** Of each file, in bytes: some thousand lines. */
    private static final int END = 512 * 1024;

    private static final int MOST = 40;
    private static final String FILES = "capoa-{bootstrap,controlplane}-system.*.log";

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path folder;

    /**
     * The logs of a lab.
     *
     * @param folder with a file for each container: {@code NAMESPACE.POD.CONTAINER.log}
     */
    ManagerLogs(Path folder) {
        this.folder = folder;
    }

    /** The newest lines of reconciles of these objects, oldest first; none where no file can be read. */
    List<LogLine> about(Set<Ref> objects) {
        List<LogLine> lines = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, FILES)) {
            for (Path file : files) {
                end(file).flatMap(line -> line(line, objects).stream()).forEach(lines::add);
            }
        } catch (IOException e) {
            // A pod that ends takes its file along; the next change asks again.
            return List.of();
        }
        lines.sort(comparing(LogLine::time));
        return List.copyOf(lines.subList(Math.max(0, lines.size() - MOST), lines.size()));
    }

    private static Stream<String> end(Path file) throws IOException {
        try (RandomAccessFile log = new RandomAccessFile(file.toFile(), "r")) {
            long from = Math.max(0, log.length() - END);
            log.seek(from);
            byte[] bytes = new byte[(int) (log.length() - from)];
            log.readFully(bytes);
            // The first line may be a part of one.
            return new String(bytes, StandardCharsets.UTF_8).lines().skip(from > 0 ? 1 : 0);
        }
    }

    /** Empty for a line of another object, or of no reconcile, or that is no JSON. */
    private static Optional<LogLine> line(String text, Set<Ref> objects) {
        if (!text.startsWith("{") || objects.stream().noneMatch(object -> text.contains(object.name()))) {
            return Optional.empty();
        }
        try {
            JsonNode line = JSON.readTree(text);
            Ref of = new Ref(text(line, "kind"), text(line, "namespace"), text(line, "name"));
            return objects.contains(of)
                    ? Optional.of(new LogLine(
                            text(line, "timestamp"), text(line, "level"), Redacted.text(text(line, "message"))))
                    : Optional.empty();
        } catch (JsonProcessingException e) {
            return Optional.empty();
        }
    }

    private static String text(JsonNode line, String field) {
        return line.path(field).asText();
    }

    /** The commands that show such lines of a management cluster, whose logs the page has no right to read. */
    static List<String> commands(List<Ref> objects) {
        return Stream.of(
                        command("controlplane", named(objects, "OpenshiftAssistedControlPlane")),
                        command("bootstrap", named(objects, "OpenshiftAssistedConfig")))
                .flatMap(Optional::stream)
                .toList();
    }

    private static List<Ref> named(List<Ref> objects, String kind) {
        return objects.stream().filter(object -> object.kind().equals(kind)).toList();
    }

    /** Of several objects all lines of their namespace. */
    private static Optional<String> command(String provider, List<Ref> objects) {
        return objects.stream()
                .findFirst()
                .map(first ->
                        "kubectl logs -n capoa-%1$s-system deployment/capoa-%1$s-controller-manager | grep ' %2$s/%3$s'"
                                .formatted(provider, first.namespace(), objects.size() == 1 ? first.name() : ""));
    }
}
