import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import mockwebserver3.Dispatcher;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.RecordedRequest;
import okhttp3.Response;
import okhttp3.WebSocket;
import okhttp3.WebSocketListener;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;

/**
 * An API server in memory, on loopback. As the real one it speaks HTTP/2 over TLS, and sends the events of watches through
 * web sockets. It serves every kind and allows everything; it validates, defaults and converts nothing.
 */
final class ApiServer extends Dispatcher implements AutoCloseable {

    private static final String NOT_FOUND =
            "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"reason\":\"NotFound\",\"code\":404}";
    /** Answers who the token's bearer is, and that he may. */
    private static final String REVIEWED =
            "{\"status\":{\"allowed\":true,\"authenticated\":true,\"user\":{\"username\":\"training\"}}}";

    private static final Set<String> REVIEWS =
            Set.of("selfsubjectaccessreviews", "subjectaccessreviews", "tokenreviews");

    private record Watch(Target target, WebSocket socket) {}

    private final HeldCertificate certificate =
            new HeldCertificate.Builder().addSubjectAlternativeName("127.0.0.1").build();
    private final MockWebServer server = new MockWebServer();
    private final Stored stored = new Stored();
    private final List<Watch> watches = new CopyOnWriteArrayList<>();

    ApiServer() throws IOException {
        server.useHttps(
                new HandshakeCertificates.Builder().heldCertificate(certificate).build().sslSocketFactory());
        server.setDispatcher(this);
        server.start(InetAddress.getLoopbackAddress(), 0);
    }

    int port() {
        return server.getPort();
    }

    /** Its certificate, which is its authority, too. */
    String authority() {
        return certificate.certificatePem();
    }

    Stored stored() {
        return stored;
    }

    /** Writes an object, as another client would. */
    void write(String path, String type, String body) throws IOException {
        write(Target.of(server.url(path)), "PATCH", type, body);
    }

    @Override
    public MockResponse dispatch(RecordedRequest request) {
        Target target = Target.of(request.getUrl());
        String method = request.getMethod();
        try {
            if ("true".equals(request.getUrl().queryParameter("watch"))) {
                return watch(target);
            }
            if (method.equals("GET")) {
                return read(target);
            }
            if (REVIEWS.contains(target.plural())) {
                return json(201, REVIEWED);
            }
            String type = String.valueOf(request.getHeaders().get("Content-Type"));
            String body = request.getBody() == null ? "" : request.getBody().utf8();
            Stored.Event event = write(target, method, type, body);
            return json(method.equals("POST") ? 201 : 200, event.object().toString());
        } catch (IOException | RuntimeException e) {
            System.err.println("The API server cannot serve " + request.getRequestLine() + ": " + e);
            return json(500, NOT_FOUND);
        }
    }

    private MockResponse read(Target target) {
        if (target.plural().isEmpty()) {
            return json(200, Definitions.resources(target.apiVersion()).toString());
        }
        return target.name().isEmpty()
                ? json(200, stored.list(target).toString())
                : stored.get(target)
                        .map(object -> json(200, object.toString()))
                        .orElseGet(() -> json(404, NOT_FOUND));
    }

    private MockResponse watch(Target target) {
        return new MockResponse.Builder()
                .webSocketUpgrade(new WebSocketListener() {
                    @Override
                    public void onOpen(WebSocket socket, Response response) {
                        synchronized (watches) {
                            stored.since(target).forEach(event -> socket.send(event.json()));
                            watches.add(new Watch(target, socket));
                        }
                    }

                    @Override
                    public void onClosing(WebSocket socket, int code, String reason) {
                        watches.removeIf(watch -> watch.socket() == socket);
                        socket.close(code, null);
                    }
                })
                .build();
    }

    private Stored.Event write(Target target, String method, String type, String body) throws IOException {
        synchronized (watches) {
            Stored.Event event = stored.write(target, method, type, body);
            for (Watch watch : watches) {
                if (watch.target().selects(event.path(), event.object())) {
                    watch.socket().send(event.json());
                }
            }
            return event;
        }
    }

    private static MockResponse json(int code, String body) {
        return new MockResponse.Builder()
                .code(code)
                .setHeader("Content-Type", "application/json")
                .body(body)
                .build();
    }

    @Override
    public void close() {
        server.close();
    }
}
