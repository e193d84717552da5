package io.capoa.lab.endurance;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import io.capoa.lab.hostile.Bombs;
import io.capoa.lab.hostile.HostileServer;
import io.capoa.lab.registry.SyntheticImage;
import io.capoa.lab.registry.SyntheticImage.Entry;
import io.capoa.lab.registry.SyntheticRelease;
import java.io.IOException;
import java.io.OutputStream;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A registry with a release for each input, of which the content, or an answer with its status and headers, is another
 * than it should be.
 */
final class HostileRegistry implements AutoCloseable {

    private static final String REPOSITORY = "ocp-release";
    private static final Pattern PATH = Pattern.compile("/(v2|token)/n(\\d+)/.*");
    private static final Pattern RELEASE = Pattern.compile(
            "\\{\"image\":\"127\\.0\\.0\\.1:\\d+/n\\d+/ocp-release@sha256:[0-9a-f]{64}\",\"version\":\"[0-9A-Za-z.+_-]{0,128}\",\"kubernetesVersion\":\"\\d+\\.\\d+\\.[0-9A-Za-z.+-]{1,60}\",\"architectures\":\\[(\"[0-9A-Za-z._-]{0,32}\",?)*\\]\\}");
    private static final int LONGEST_MESSAGE = 2_300;
    private static final String OK = "200 OK";
    /** Requests for one release: a token, the index, an image's manifest, a layer. */
    private static final int REQUESTS = 5;

    private static final List<String> STATUSES = List.of(
            "201 Created",
            "204 No Content",
            "206 Partial Content",
            "301 Moved Permanently",
            "304 Not Modified",
            "307 Temporary Redirect",
            "400 Bad Request",
            "401 Unauthorized",
            "403 Forbidden",
            "404 Not Found",
            "406 Not Acceptable",
            "418 I'm a teapot",
            "429 Too Many Requests",
            "500 Internal Server Error",
            "503 Service Unavailable",
            "999 x",
            "-1 x",
            "no number");

    private static final List<String> HEADERS = List.of(
            "Content-Length: -1",
            "Content-Length: 99999999999",
            "Content-Length: x",
            "Content-Encoding: gzip",
            "Transfer-Encoding: chunked",
            "Transfer-Encoding: x",
            "Docker-Content-Digest: sha256:0",
            "Docker-Content-Digest: \u0001",
            "Location: https://[::1",
            "Location: file:///etc/passwd",
            "Location: http://127.0.0.1:1/",
            "Location: //user:password@127.0.0.1:1/",
            "Location:",
            "Retry-After: 1e9",
            "Retry-After: -1",
            "Retry-After: 0",
            "WWW-Authenticate: Bearer",
            "WWW-Authenticate: Bearer realm=\"file:///etc/passwd\"",
            "WWW-Authenticate: Bearer realm=\"http://127.0.0.1:1/\",service=\"a\u0001b\"",
            "WWW-Authenticate: Basic realm=\"",
            "WWW-Authenticate: Negotiate",
            "WWW-Authenticate: " + "x".repeat(300_000),
            ": x",
            "no header",
            "Content-Type: \u00ff",
            "Set-Cookie: " + "x".repeat(10_000));

    /**
     * An answer.
     *
     * @param cut how many bytes of the body are not sent
     */
    private record Answer(String status, List<String> headers, byte[] body, int cut) {

        static Answer of(byte[] body) {
            return new Answer(OK, List.of(), body, 0);
        }

        static Answer of(String status, String... headers) {
            return new Answer(status, List.of(headers), new byte[0], 0);
        }
    }

    /** What belongs to one input; guarded by its monitor. */
    private static final class Input {
        private final Mutations mutations;
        private final Map<String, byte[]> content = new LinkedHashMap<>();
        private final Set<String> requests = new LinkedHashSet<>();
        private boolean withToken;
        private boolean hasToken;
        private int chosen = -1;
        private String changed = "";

        private Input(Mutations mutations) {
            this.mutations = mutations;
        }
    }

    private final Map<Integer, Input> inputs = new ConcurrentHashMap<>();
    private final HostileServer server;

    HostileRegistry() {
        server = new HostileServer(null);
        server.on("/", this::answer);
    }

    /** The {@code registries.conf} for an input, which gives it places of its own. */
    String settings(int number) {
        return """
            [[registry]]
            prefix = "%s/n%d"
            location = "%s/n%d"
            insecure = true
            """.formatted(server.address(), number, server.address(), number);
    }

    /** Begins an input; returns its release image. */
    String begin(int number, Mutations mutations, List<JsonNode> others) {
        Input input = new Input(mutations);
        input.withToken = mutations.below(3) == 0;
        String tag = "4.20.%d-%s".formatted(number, mutations.any(List.of("x86_64", "multi")));
        SyntheticImage image = SyntheticRelease.ofTag(tag);
        switch (mutations.below(4)) {
            case 0 -> put(input, tag, withFile(number, mutations, others));
            case 1 -> putLayer(input, tag, bent(mutations, layer(image)));
            default -> {
                put(input, tag, image);
                input.chosen = mutations.below(REQUESTS);
            }
        }
        inputs.put(number, input);
        return "%s/n%d/%s:%s".formatted(server.address(), number, REPOSITORY, tag);
    }

    void end(int number) {
        inputs.remove(number);
    }

    /** What is wrong with the result. */
    Optional<String> mistake(int number, boolean known, String text) {
        Input input = inputs.get(number);
        String what = "registry, another answer to %s: ".formatted(input == null ? "" : input.changed);
        if (known) {
            return RELEASE.matcher(text).matches()
                    ? Optional.empty()
                    : Optional.of(what + "taken for a release: " + text);
        }
        if (text.length() > LONGEST_MESSAGE) {
            return Optional.of(what + "%d characters: %s".formatted(text.length(), text));
        }
        return text.contains(": ") ? Optional.empty() : Optional.of(what + "says not what is wrong: " + text);
    }

    private static SyntheticImage withFile(int number, Mutations mutations, List<JsonNode> others) {
        JsonNode references = Mutations.tree(SyntheticRelease.imageReferences("4.20." + number));
        String file = mutations.text(mutations.mutate(references));
        String path = mutations.below(10) == 0
                ? mutations.bent(SyntheticRelease.IMAGE_REFERENCES)
                : SyntheticRelease.IMAGE_REFERENCES;
        Entry entry = mutations.below(10) == 0
                ? Entry.link(path, mutations.any(List.of(path, "../../etc/passwd", "/", "")))
                : Entry.file(path, file);
        String metadata = mutations.text(mutations.mutate(mutations.any(others)));
        return SyntheticImage.of(
                "amd64", List.of(List.of(Entry.file("release-manifests/release-metadata", metadata), entry)));
    }

    private static void put(Input input, String tag, SyntheticImage image) {
        input.content.putAll(image.blobs());
        input.content.putAll(image.manifests());
        input.content.put(tag, image.manifests().getOrDefault(image.digest(), new byte[0]));
    }

    private static void putLayer(Input input, String tag, byte[] layer) {
        input.content.put(Bombs.digest(layer), layer);
        input.content.put(
                tag,
                "{\"schemaVersion\":2,\"layers\":[{\"digest\":\"%s\",\"size\":%d}]}"
                        .formatted(Bombs.digest(layer), layer.length)
                        .getBytes(UTF_8));
    }

    /** The layer with the release's files: the smallest that is a compressed archive. */
    private static byte[] layer(SyntheticImage image) {
        return image.blobs().values().stream()
                .filter(blob -> blob.length > 2 && blob[0] == 0x1f)
                .reduce((first, second) -> second)
                .orElseThrow();
    }

    /** Bytes of the layer, or of the archive in it, are others. */
    private static byte[] bent(Mutations mutations, byte[] layer) {
        boolean packed = mutations.below(2) == 0 || layer[0] != 0x1f;
        byte[] bent = packed ? layer.clone() : unpacked(layer);
        for (int left = 1 + mutations.below(8); left > 0; left--) {
            bent[mutations.below(bent.length)] = (byte) mutations.below(256);
        }
        return bent;
    }

    private static byte[] unpacked(byte[] layer) {
        try (var in = new java.util.zip.GZIPInputStream(new java.io.ByteArrayInputStream(layer))) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private void answer(String path, OutputStream out) throws IOException {
        Matcher m = PATH.matcher(path);
        Input input = m.matches() ? inputs.get(Integer.parseInt(m.group(2))) : null;
        if (input == null) {
            send(out, Answer.of("404 Not Found"));
            return;
        }
        Answer answer;
        synchronized (input) {
            input.requests.add(path);
            Answer honest = honest(input, path, m.group(2));
            boolean other = input.requests.size() > input.chosen
                    && input.chosen >= 0
                    && (input.changed.isEmpty() || input.changed.equals(path));
            answer = other ? changed(input, path, honest) : honest;
        }
        send(out, answer);
    }

    private Answer honest(Input input, String path, String number) {
        if (path.startsWith("/token/")) {
            input.hasToken = true;
            return Answer.of("{\"token\":\"abc\",\"expires_in\":300}".getBytes(UTF_8));
        }
        if (input.withToken && !input.hasToken) {
            return Answer.of(
                    "401 Unauthorized",
                    "WWW-Authenticate: Bearer realm=\"%s/token/n%s/\",service=\"s\",scope=\"repository:n%s/%s:pull\""
                            .formatted(server.url(), number, number, REPOSITORY));
        }
        byte[] content = input.content.get(path.substring(path.lastIndexOf('/') + 1));
        return content == null ? Answer.of("404 Not Found") : Answer.of(content);
    }

    private static Answer changed(Input input, String path, Answer honest) {
        input.changed = path;
        Mutations mutations = input.mutations;
        return switch (mutations.below(6)) {
            case 0 -> new Answer(mutations.any(STATUSES), honest.headers, honest.body, 0);
            case 1 -> new Answer(mutations.any(STATUSES), List.of(mutations.any(HEADERS)), honest.body, 0);
            case 2 -> new Answer(honest.status, List.of(mutations.any(HEADERS)), honest.body, 0);
            case 3 -> new Answer(honest.status, honest.headers, honest.body, 1 + mutations.below(honest.body.length));
            default -> new Answer(honest.status, honest.headers, mutated(mutations, honest.body), 0);
        };
    }

    private static byte[] mutated(Mutations mutations, byte[] body) {
        if (body.length > 0 && body[0] == '{') {
            return mutations
                    .text(mutations.mutate(Mutations.tree(new String(body, UTF_8))))
                    .getBytes(UTF_8);
        }
        return body.length == 0 ? body : bent(mutations, body);
    }

    private static void send(OutputStream out, Answer answer) throws IOException {
        StringBuilder head =
                new StringBuilder("HTTP/1.1 ").append(answer.status).append("\r\nConnection: close\r\n");
        answer.headers.forEach(header -> head.append(header).append("\r\n"));
        if (answer.headers.stream()
                .noneMatch(header -> header.startsWith("Content-Length") || header.startsWith("Transfer"))) {
            head.append("Content-Length: ").append(answer.body.length).append("\r\n");
        }
        out.write(head.append("\r\n").toString().getBytes(ISO_8859_1));
        out.write(answer.body, 0, Math.max(0, answer.body.length - answer.cut));
    }

    @Override
    public void close() {
        server.close();
    }
}
