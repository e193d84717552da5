package io.capoa.lab.table;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Asks an API server for a kind's table and prints it as {@code kubectl get} does; ages are {@value #AGE}. */
public final class KubectlTable {

    /** Printed as the age of every object, so that two runs print the same. */
    public static final String AGE = "5m";

    private static final String ACCEPT = "application/json;as=Table;v=v1;g=meta.k8s.io";
    private static final int SHORTEST = 6;
    private static final int PADDING = 3;

    private KubectlTable() {}

    /**
     * The table of all objects of a namespace, with its header, a line for each object.
     *
     * @param wide whether to print the columns of {@code -o wide} too
     */
    public static String of(KubernetesClient client, Class<? extends HasMetadata> kind, String namespace, boolean wide)
            throws IOException {
        String path = "%sapis/%s/namespaces/%s/%s"
                .formatted(
                        client.getMasterUrl(), HasMetadata.getApiVersion(kind), namespace, HasMetadata.getPlural(kind));
        String body = client.getHttpClient()
                .sendAsync(
                        client.getHttpClient()
                                .newHttpRequestBuilder()
                                .uri(path)
                                .header("Accept", ACCEPT)
                                .build(),
                        String.class)
                .join()
                .body();
        return print(new ObjectMapper().readTree(body), wide);
    }

    /** Prints a Table of {@code meta.k8s.io}. */
    static String print(JsonNode table, boolean wide) {
        List<Integer> shown = new ArrayList<>();
        for (int column = 0; column < table.path("columnDefinitions").size(); column++) {
            if (wide || definition(table, column).path("priority").asInt() == 0) {
                shown.add(column);
            }
        }
        List<List<String>> lines = new ArrayList<>();
        lines.add(shown.stream()
                .map(column -> definition(table, column).path("name").asText().toUpperCase(Locale.ROOT))
                .toList());
        table.path("rows")
                .forEach(row -> lines.add(shown.stream()
                        .map(column -> cell(
                                definition(table, column), row.path("cells").path(column)))
                        .toList()));
        return aligned(lines);
    }

    /**
     * Events as {@code kubectl get events} prints them, without the times.
     *
     * @param events rows of type, reason, object and message
     */
    public static String ofEvents(List<List<String>> events) {
        List<List<String>> lines = new ArrayList<>();
        lines.add(List.of("TYPE", "REASON", "OBJECT", "MESSAGE"));
        events.forEach(
                event -> lines.add(event.stream().map(KubectlTable::firstLine).toList()));
        return aligned(lines);
    }

    /** Columns as wide as kubectl makes them; the first line is the header. */
    public static String aligned(List<List<String>> lines) {
        int[] widths = new int[lines.getFirst().size()];
        lines.forEach(line -> Arrays.setAll(
                widths, i -> Math.max(widths[i], Math.max(SHORTEST, line.get(i).length() + PADDING))));
        return lines.stream().map(line -> line(line, widths)).collect(Collectors.joining("\n", "", "\n"));
    }

    private static JsonNode definition(JsonNode table, int column) {
        return table.path("columnDefinitions").path(column);
    }

    /** A cell ends at its first line break. */
    private static String cell(JsonNode definition, JsonNode cell) {
        if (definition.path("type").asText().equals("date")) {
            return AGE;
        }
        return cell.isNull() ? "" : firstLine(cell.asText());
    }

    private static String firstLine(String text) {
        int end = text.indexOf('\n');
        return end < 0 ? text : text.substring(0, end) + "...";
    }

    private static String line(List<String> cells, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < cells.size(); i++) {
            line.append(cells.get(i)).append(" ".repeat(widths[i] - cells.get(i).length()));
        }
        return line.toString().stripTrailing();
    }
}
