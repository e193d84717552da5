package io.capoa.runtime.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.capoa.runtime.access.ReviewedAccess.Review;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** With an API server that knows one token, and answers nobody else while it is slow. */
class ReviewedAccessTest {

    private static final String GOOD = "good";

    private final HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    private final KubernetesClient client;
    private final AtomicInteger queries = new AtomicInteger();
    private final HandClock clock = new HandClock();
    private final ReviewedAccess access;
    private final InetAddress guesser = address(1);
    private final InetAddress scraper = address(2);
    private volatile CountDownLatch slow = new CountDownLatch(0);

    private static final class HandClock extends Clock {

        private Instant now = Instant.EPOCH;

        @Override
        public synchronized Instant instant() {
            return now;
        }

        synchronized void advance(Duration time) {
            now = now.plus(time);
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }

    ReviewedAccessTest() throws IOException {
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::answer);
        server.start();
        client = new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder(io.fabric8.kubernetes.client.Config.empty())
                        .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
                        .build())
                .build();
        access = new ReviewedAccess(() -> client, clock);
    }

    @AfterEach
    void stop() {
        slow.countDown();
        client.close();
        server.stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        String query = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        boolean about = query.contains("\"token\"");
        boolean good = query.contains("\"" + GOOD + "\"");
        String answer;
        if (about) {
            queries.incrementAndGet();
            if (!good) {
                awaitOrStop();
            }
            answer = """
                    {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenReview", "status": {
                     "authenticated": %s, "user": {"username": "scraper", "groups": []}}}""".formatted(good);
        } else {
            answer = """
                    {"apiVersion": "authorization.k8s.io/v1", "kind": "SubjectAccessReview", "status": {"allowed": true}}""";
        }
        byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(201, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private void awaitOrStop() {
        try {
            slow.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static InetAddress address(int number) {
        try {
            return InetAddress.getByAddress(new byte[] {10, 0, (byte) (number >> 8), (byte) number});
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    private Review review(InetAddress from, String token) {
        return access.review(from, Optional.of("Bearer " + token), "/metrics", "get");
    }

    @Test
    void anAddressThatGuesses_isSoonRefusedWithoutAQuestion_andOthersAreNot() {
        for (int i = 0; i < 10; i++) {
            assertThat(review(guesser, "guess-" + i)).isEqualTo(Review.UNAUTHENTICATED);
        }
        for (int i = 10; i < 50; i++) {
            assertThat(review(guesser, "guess-" + i)).isEqualTo(Review.TOO_MANY);
        }
        assertThat(queries).hasValue(10);
        assertThat(review(scraper, GOOD)).isEqualTo(Review.ALLOWED);

        clock.advance(Duration.ofSeconds(10));

        assertThat(review(guesser, "guess-50")).isEqualTo(Review.UNAUTHENTICATED);
        assertThat(review(guesser, "guess-51")).isEqualTo(Review.TOO_MANY);
    }

    @Test
    void aTokenThatIsGood_costsTheAddressNothing() {
        for (int i = 0; i < 20; i++) {
            assertThat(review(scraper, GOOD)).isEqualTo(Review.ALLOWED);
            clock.advance(Duration.ofMinutes(2));
        }
        assertThat(queries).hasValue(20);
        for (int i = 0; i < 10; i++) {
            assertThat(review(scraper, "guess-" + i)).isEqualTo(Review.UNAUTHENTICATED);
        }
    }

    @Test
    void aTokenThatWasGood_isAskedAboutAgain_whereverItComesFrom_andHoweverManyAreGuessed() {
        assertThat(review(scraper, GOOD)).isEqualTo(Review.ALLOWED);
        for (int i = 0; i < 300; i++) {
            assertThat(review(address(100 + i), "guess-" + i)).isEqualTo(Review.UNAUTHENTICATED);
        }
        for (int i = 0; i < 20; i++) {
            var unused = review(guesser, "more-" + i);
        }
        clock.advance(Duration.ofMinutes(2));
        slow = new CountDownLatch(1);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            int before = queries.get();
            for (int i = 0; i < 12; i++) {
                int number = i;
                threads.execute(() -> review(address(500 + number), "slow-" + number));
            }
            await().until(() -> queries.get() >= before + 2);

            assertThat(review(guesser, GOOD)).isEqualTo(Review.ALLOWED);
            slow.countDown();
        }
    }
}
