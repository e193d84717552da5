package io.capoa.runtime.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Lists of objects that are long, from a server with an object of the given length at each place. */
class BoundedPagesTest {

    private static final String LIST = "/api/v1/secrets";
    private static final int LONG = 1 << 20;

    private final OkHttpClient client =
            new OkHttpClient.Builder().addInterceptor(new BoundedPages()).build();
    private final List<Integer> limits = new CopyOnWriteArrayList<>();
    private final List<Integer> objects = new ArrayList<>();
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
        client.dispatcher().executorService().shutdownNow();
    }

    /** The objects from the place that "continue" names, at most as many as "limit" says. */
    private void answer(HttpExchange exchange) throws IOException {
        Map<String, Integer> query = query(exchange.getRequestURI());
        int limit = query.getOrDefault("limit", objects.size());
        limits.add(limit);
        int length = objects.stream()
                .skip(query.getOrDefault("continue", 0))
                .limit(limit)
                .mapToInt(Integer::intValue)
                .sum();
        byte[] body = new byte[length];
        Arrays.fill(body, (byte) 'x');
        try (exchange) {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write(body);
        } catch (IOException e) {
            // A page that is too long is not read to its end.
        }
    }

    private static Map<String, Integer> query(URI uri) {
        return Stream.ofNullable(uri.getRawQuery())
                .flatMap(query -> Arrays.stream(query.split("&")))
                .map(part -> part.split("=", 2))
                .filter(part -> !part[1].equals("true"))
                .collect(Collectors.toMap(part -> part[0], part -> Integer.valueOf(part[1])));
    }

    @Test
    void aPageOfShortObjects_isReadAsAsked() throws IOException {
        objects.addAll(Collections.nCopies(20, 100));

        assertThat(get(LIST + "?limit=20")).isEqualTo(2_000);
        assertThat(limits).containsExactly(20);
    }

    @Test
    void aPageThatIsTooLong_isAskedForAgain_withFewerObjects() throws IOException {
        objects.addAll(Collections.nCopies(20, LONG));

        assertThat(get(LIST + "?limit=20")).isEqualTo(LONG);
        assertThat(limits).containsExactly(20, 5, 1);
    }

    @Test
    void theNextPage_beginsAsTheOneBeforeEnded_andGrowsAgainWhenObjectsAreShort() throws IOException {
        objects.addAll(Collections.nCopies(20, LONG + LONG / 2));
        objects.addAll(Collections.nCopies(20, 100));

        get(LIST + "?limit=20");
        assertThat(get(LIST + "?limit=20&continue=1")).isEqualTo(LONG + LONG / 2);
        assertThat(get(LIST + "?limit=20&continue=20")).isEqualTo(100);
        assertThat(get(LIST + "?limit=20&continue=21")).isEqualTo(200);
        assertThat(limits).containsExactly(20, 5, 1, 1, 1, 2);

        get(LIST + "?limit=3");
        assertThat(limits).as("a new list begins as it is asked for").contains(3);
    }

    @Test
    void anObjectThatIsLongerThanAPage_isReadAlone() throws IOException {
        objects.add(3 * LONG);

        assertThat(get(LIST + "?limit=20")).isEqualTo(3 * LONG);
    }

    @Test
    void aListWithoutPages_failsBeyondItsLimit() throws IOException {
        objects.addAll(Collections.nCopies(7, LONG));
        assertThat(get(LIST)).isEqualTo(7 * LONG);

        objects.addAll(Collections.nCopies(2, LONG));
        assertThatIOException()
                .isThrownBy(() -> get(LIST))
                .withMessageContainingAll("the objects of " + LIST, "take more than 8 MiB");
    }

    @Test
    void anObjectOrAWatch_isNotBounded() throws IOException {
        objects.addAll(Collections.nCopies(9, LONG));

        assertThat(get("/api/v1/namespaces/a/secrets/b")).isEqualTo(9 * LONG);
        assertThat(get(LIST + "?watch=true")).isEqualTo(9 * LONG);
    }

    private int get(String path) throws IOException {
        try (Response response = client.newCall(new Request.Builder()
                        .url("http://localhost:" + server.getAddress().getPort() + path)
                        .build())
                .execute()) {
            return response.body().bytes().length;
        }
    }
}
