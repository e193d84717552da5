package io.capoa.lab.endurance;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.capoa.lab.workload.Tampering;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A workload cluster of which one answer to an input is another than it should be: of each input another answer, and
 * always the same for its number and seed. Nothing that is asked for is done.
 */
public final class HostileAnswers implements Tampering {

    /** Statuses by which an API server refuses; 404 says that there is no such object. */
    private static final List<Integer> REFUSALS = List.of(400, 401, 403, 409, 410, 418, 429, 500, 502, 503);

    private static final List<String> NO_JSON = List.of(
            "", "null", "7", "[]", "\"ok\"", "{", "<html></html>", "{\"kind\":\"Status\"}", "\u0000", "---\na: b\n");
    private static final Pattern GROUP = Pattern.compile("GET /apis?(/[^/]+)?/v[0-9a-z]+");
    private static final int BEYOND_THE_LIMIT = 3 << 19;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Set<String> requests = new LinkedHashSet<>();
    private final List<String> writes = new ArrayList<>();
    private @Nullable Mutations mutations;
    private boolean readable;
    private int chosen;
    private String changed = "";

    /**
     * Begins the next input.
     *
     * @param seeded {@code null} for honest answers
     * @param among how many requests an honest cluster gets
     * @param mutated whether the answer is JSON of another content; otherwise it is none, an error, or not whole
     */
    public synchronized void begin(@Nullable Mutations seeded, int among, boolean mutated) {
        requests.clear();
        writes.clear();
        mutations = seeded;
        readable = mutated;
        changed = "";
        chosen = seeded == null ? -1 : seeded.below(among);
    }

    /** Different requests of the present input. */
    public synchronized int requests() {
        return requests.size();
    }

    /** What would have been changed. */
    public synchronized List<String> writes() {
        return List.copyOf(writes);
    }

    /** The request whose answer was another one; empty if it was not made. */
    public synchronized String changed() {
        return changed;
    }

    @Override
    public synchronized boolean takes(String request, byte[] body) {
        writes.add(request + " " + new String(body, StandardCharsets.UTF_8));
        return false;
    }

    @Override
    public synchronized Reply reply(String request, Reply honest) {
        // Clients keep what a group serves: it would be an input to the next queries, too.
        if (GROUP.matcher(request).matches()
                || !writes.isEmpty()
                || (honest.status() == 101 && honest.body().isEmpty())) {
            return honest;
        }
        requests.add(request);
        Mutations seeded = mutations;
        if (seeded == null || requests.size() <= chosen || (!changed.isEmpty() && !changed.equals(request))) {
            return honest;
        }
        changed = request;
        return readable ? mutated(seeded, honest) : unreadable(seeded, honest);
    }

    private static Reply mutated(Mutations seeded, Reply honest) {
        String text = honest.body();
        try {
            JsonNode tree = JSON.readTree(text);
            return with(honest, honest.status(), seeded.text(seeded.mutate(tree)), true);
        } catch (JsonProcessingException plain) {
            return with(honest, honest.status(), seeded.bent(text), true);
        }
    }

    private static Reply unreadable(Mutations seeded, Reply honest) {
        boolean command = honest.status() == 101;
        String text = honest.body();
        int kind = honest.status() == HttpURLConnection.HTTP_NOT_FOUND ? 3 : seeded.below(command ? 3 : 5);
        return switch (kind) {
            case 0 -> with(honest, honest.status(), seeded.any(NO_JSON), true);
            case 1 ->
                with(
                        honest,
                        honest.status(),
                        text.substring(0, seeded.below(text.strip().length())),
                        true);
            case 2 ->
                with(
                        honest,
                        honest.status(),
                        text.substring(0, seeded.below(text.strip().length())),
                        false);
            case 3 -> with(honest, seeded.any(REFUSALS), seeded.any(List.of("", "no", "null", STATUS)), true);
            default -> with(honest, honest.status(), text + " ".repeat(BEYOND_THE_LIMIT), true);
        };
    }

    private static final String STATUS = """
            {"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"a\\u0000\\u202eb%s","reason":"x"}
            """.formatted("y".repeat(5_000));

    private static Reply with(Reply honest, int status, String text, boolean whole) {
        return new Reply(status, honest.type(), text, whole);
    }
}
