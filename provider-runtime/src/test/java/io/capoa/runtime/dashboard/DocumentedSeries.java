package io.capoa.runtime.dashboard;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The series of a page of the documentation: names in the first column of its tables, labels in the first two.
 *
 * @param labels by the name of the series
 */
public record DocumentedSeries(Map<String, Set<String>> labels) {

    private static final Path DOCUMENTS = Path.of("..", "docs");
    private static final Pattern CODE = Pattern.compile("`([a-z_]+)`");

    /** What Prometheus adds to each series that it scrapes from a pod, and to buckets. */
    private static final Set<String> OF_THE_TARGET = Set.of("namespace", "pod", "le");

    /** The suffixes of the series of a histogram or summary. */
    private static final List<String> PARTS = List.of("_bucket", "_sum", "_count", "_max");

    /** Those of several pages, such as {@code metrics.md}. */
    public static DocumentedSeries of(String... pages) {
        Map<String, Set<String>> labels = new TreeMap<>();
        for (String page : pages) {
            try {
                Files.readAllLines(DOCUMENTS.resolve(page)).stream()
                        .filter(line -> line.startsWith("| `"))
                        .map(line -> line.split("\\|", 4))
                        .forEach(cells -> add(labels, names(cells[1]), names(cells[2])));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return new DocumentedSeries(labels);
    }

    private static void add(Map<String, Set<String>> labels, List<String> first, List<String> second) {
        List<String> series = first.stream().filter(name -> name.contains("_")).toList();
        for (String name : series) {
            Set<String> own = labels.computeIfAbsent(name, added -> new TreeSet<>(OF_THE_TARGET));
            own.addAll(first);
            own.addAll(second);
            own.removeAll(series);
        }
    }

    private static List<String> names(String cell) {
        return CODE.matcher(cell).results().map(found -> found.group(1)).toList();
    }

    /** The labels that a series may be selected by; empty when it is not documented. */
    Optional<Set<String>> labelsOf(String series) {
        return Optional.ofNullable(labels.get(series))
                .or(() -> PARTS.stream()
                        .filter(series::endsWith)
                        .map(part -> series.substring(0, series.length() - part.length()))
                        .flatMap(timer -> Stream.ofNullable(labels.get(timer)))
                        .findFirst());
    }
}
