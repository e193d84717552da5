package io.capoa.lab.recorded;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Predicate;

/** A recording of one cluster, in order. */
public record Recording(String file, List<RecordedLine> lines) {

    /** The recording of that name among the tests' resources. */
    public static Recording load(String file) {
        try (var stream =
                Objects.requireNonNull(Recording.class.getResourceAsStream("/recorded/" + file), "recording " + file)) {
            return new Recording(
                    file,
                    new String(stream.readAllBytes(), StandardCharsets.UTF_8)
                            .lines()
                            .map(RecordedLine::of)
                            .toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Name of the Cluster, the ClusterDeployment and the control plane. */
    String cluster() {
        return lines.stream()
                .filter(line -> line.kind().equals("OACP"))
                .findFirst()
                .orElseThrow()
                .name();
    }

    /** Changes by other controllers, in steps: lines of one object at one time. */
    List<List<RecordedLine>> steps() {
        List<List<RecordedLine>> steps = new ArrayList<>();
        for (RecordedLine line : only(line -> !isOurs(line) || !line.isCondition())) {
            List<RecordedLine> last = steps.isEmpty() ? List.of() : steps.getLast();
            if (!last.isEmpty()
                    && last.getFirst().at() == line.at()
                    && last.getFirst().object().equals(line.object())) {
                last.add(line);
            } else {
                steps.add(new ArrayList<>(List.of(line)));
            }
        }
        return steps;
    }

    /**
     * What an object of each name of a kind was seen to go through, in order; the recorder, which polled, skipped some.
     *
     * @param kind short name, such as {@code ACI}
     * @param key {@code state}, or a condition's type
     */
    public Map<String, List<String>> courses(String kind, String key) {
        Map<String, List<String>> courses = new TreeMap<>();
        only(line -> line.kind().equals(kind)).stream()
                .filter(line -> line.key().equals(key) || line.key().equals("cond " + key))
                .forEach(line -> {
                    List<String> course = courses.computeIfAbsent(line.name(), name -> new ArrayList<>());
                    if (course.isEmpty() || !course.getLast().equals(line.value())) {
                        course.add(line.value());
                    }
                });
        return courses;
    }

    /** The final conditions of our objects, as {@code status/reason} by type, by kind and name. */
    Map<String, Map<String, String>> ends() {
        Map<String, Map<String, String>> ends = new TreeMap<>();
        only(line -> isOurs(line) && line.isCondition())
                .forEach(line -> ends.computeIfAbsent(line.object(), key -> new TreeMap<>())
                        .put(line.conditionType(), line.value()));
        return ends;
    }

    boolean endsDeleted() {
        return lines.stream()
                .anyMatch(line -> line.kind().equals("Cluster") && line.key().equals("deleted"));
    }

    private List<RecordedLine> only(Predicate<RecordedLine> wanted) {
        return lines.stream().filter(wanted).toList();
    }

    private static boolean isOurs(RecordedLine line) {
        return line.kind().equals("OACP") || line.kind().equals("OAC");
    }

    @Override
    public String toString() {
        return file;
    }
}
