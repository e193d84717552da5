package io.capoa.runtime.untrusted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okhttp3.ResponseBody;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** No answer takes more memory than was allowed for it, and none leads where the request should not go. */
@SuppressWarnings("NullAway.Init")
class UntrustedServersTest {

    private static final AnswerLimit SMALL = new AnswerLimit(1_000);

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private ServerSocket server;
    private volatile String beginning = "";
    private volatile String repeated = "";
    private final AtomicLong sent = new AtomicLong();

    @BeforeEach
    void listen() throws IOException {
        server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        threads.execute(() -> {
            while (!server.isClosed()) {
                try (Socket socket = server.accept()) {
                    answer(socket);
                } catch (IOException gone) {
                    // The client has had enough, or the test is over.
                }
            }
        });
    }

    private void answer(Socket socket) throws IOException {
        int unused = socket.getInputStream().read(new byte[1 << 14]);
        OutputStream out = socket.getOutputStream();
        out.write(beginning.getBytes(StandardCharsets.ISO_8859_1));
        out.flush();
        byte[] block = repeated.repeat(1_000).getBytes(StandardCharsets.ISO_8859_1);
        while (block.length > 0 && sent.get() < 64 << 20) {
            out.write(block);
            sent.addAndGet(block.length);
        }
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
        threads.shutdownNow();
    }

    private String get(OkHttpClient client) throws IOException {
        Request request = new Request.Builder()
                .url("http://127.0.0.1:" + server.getLocalPort() + "/")
                .build();
        try (Response response = client.newCall(request).execute()) {
            return response.body().string();
        }
    }

    private static OkHttpClient client() {
        return UntrustedServers.guard(new OkHttpClient.Builder(), "sample", SMALL, false)
                .build();
    }

    @Test
    void anAnswerOfTheAllowedSize_isTaken() throws IOException {
        beginning = "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n" + "x".repeat(1_000);
        assertThat(get(client())).hasSize(1_000);
    }

    @ParameterizedTest
    @CsvSource({
        "Content-Length: 1001, x, its answer is larger than 1000 bytes",
        "X: y, x, its answer is larger than 1000 bytes",
        "Transfer-Encoding: chunked, 1;x, it sends a line without an end",
        "Content-Encoding: gzip, x, 'it compresses its answer, which was not asked for'",
        "Content-Encoding: br, x, 'it compresses its answer, which was not asked for'",
    })
    void anAnswerThatIsTooMuch_isRefused_beforeItFillsTheMemory(String header, String body, String message) {
        beginning = "HTTP/1.1 200 OK\r\n" + header + "\r\n\r\n";
        repeated = body;
        assertThatThrownBy(() -> get(client()))
                .isInstanceOf(RefusedAnswerException.class)
                .hasMessage(message);
        assertThat(sent).as("what the sockets buffer").hasValueLessThan(16 << 20);
    }

    @Test
    void headersWithoutAnEnd_areRefused() {
        beginning = "HTTP/1.1 200 OK\r\n";
        repeated = "X: y\r\n";
        assertThatThrownBy(() -> get(client())).isInstanceOf(IOException.class);
        assertThat(sent).hasValueLessThan(16 << 20);
    }

    @Test
    void whatOneConnectionBrings_isLimited_howeverItIsFramed() {
        beginning = "HTTP/1.1 200 OK\r\n\r\n";
        repeated = "x";
        OkHttpClient brief = UntrustedServers.guardBriefly(
                        new OkHttpClient.Builder(),
                        new AnswerLimit(Long.MAX_VALUE),
                        UntrustedServers.sockets(512 << 10))
                .build();
        assertThatThrownBy(() -> get(brief)).hasMessage("what it sends is larger than 512 KiB");
    }

    @Test
    void theRefusal_isFoundBehindOtherFailures() {
        IOException refused = new RefusedAnswerException("too much");
        assertThat(RefusedAnswerException.behind(new IllegalStateException(new IOException(refused))))
                .contains((RefusedAnswerException) refused);
        assertThat(RefusedAnswerException.behind(new IOException("other"))).isEmpty();
    }

    /** Answers from a table instead of a server. */
    private static final class Table implements Interceptor {

        private final Map<String, String> redirects = new ConcurrentHashMap<>();
        private final List<String> seen = new CopyOnWriteArrayList<>();

        @Override
        public Response intercept(Chain chain) {
            Request request = chain.request();
            seen.add(request.url() + " " + request.header("Authorization"));
            String to = redirects.get(request.url().toString());
            Response.Builder response = new Response.Builder()
                    .request(request)
                    .protocol(Protocol.HTTP_1_1)
                    .message("")
                    .body(ResponseBody.create("", null))
                    .code(to == null ? 200 : 302);
            if (to != null) {
                response.header("Location", to);
            }
            return response.build();
        }
    }

    private static Table redirecting(String from, String to, boolean downgrade, Request.Builder request)
            throws IOException {
        Table table = new Table();
        table.redirects.put(from, to);
        OkHttpClient client = UntrustedServers.guard(new OkHttpClient.Builder(), "sample", SMALL, downgrade)
                .addInterceptor(table)
                .build();
        client.newCall(request.url(from).header("Authorization", "secret").build())
                .execute()
                .close();
        return table;
    }

    @Test
    void credentials_areNotShownToAnotherHost() throws IOException {
        assertThat(redirecting("https://a/1", "https://b/2", false, new Request.Builder()).seen)
                .containsExactly("https://a/1 secret", "https://b/2 null");
        assertThat(redirecting("https://a/1", "/2", false, new Request.Builder()).seen)
                .containsExactly("https://a/1 secret", "https://a/2 secret");
        assertThat(redirecting("https://a/1", "http://a/2", true, new Request.Builder()).seen)
                .containsExactly("https://a/1 secret", "http://a/2 null");
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://a/1", "http://a/1", "file:///etc/passwd"})
    void aRedirectInACircle_orDown_orOutOfHttp_isRefused(String to) {
        assertThatThrownBy(() -> redirecting("https://a/1", to, false, new Request.Builder()))
                .isInstanceOf(RefusedAnswerException.class)
                .hasMessageStartingWith("it redirects");
    }

    @Test
    void aRequestThatSendsCredentials_isNotRedirected() {
        Request.Builder post = new Request.Builder().post(RequestBody.create("token", null));
        assertThatThrownBy(() -> redirecting("https://a/1", "https://b/2", false, post))
                .hasMessage("it redirects a request that sends credentials");
    }
}
