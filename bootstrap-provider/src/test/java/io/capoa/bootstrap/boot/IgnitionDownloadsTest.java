package io.capoa.bootstrap.boot;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.capoa.bootstrap.ignition.DiscoveryMark;
import io.capoa.bootstrap.ignition.Ignition;
import io.capoa.runtime.lookup.LookupResult;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import okio.ByteString;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@SuppressWarnings("NullAway.Init")
class IgnitionDownloadsTest {

    private static final ResourceID CONFIG = new ResourceID("config", "ns");
    private static final String GOOD = "{\"ignition\":{\"version\":\"3.1.0\"}}";

    private final BlockingQueue<ResourceID> woken = new LinkedBlockingQueue<>();
    private IgnitionDownloads downloads;
    private HttpServer server;
    private volatile int code = 200;
    private volatile String body = GOOD;
    private @Nullable DiscoveryMark mark;

    @BeforeEach
    void start() throws IOException {
        downloads = new IgnitionDownloads(new OkHttpClient(), Clock.systemUTC(), woken::add);
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(code, bytes.length);
            try (var out = exchange.getResponseBody()) {
                out.write(bytes);
            }
        });
        server.start();
    }

    @AfterEach
    void stop() {
        downloads.close();
        server.stop(0);
    }

    @Test
    void theAnswerComesLater_andWakesTheConfig() throws InterruptedException {
        assertThat(request()).isInstanceOf(LookupResult.Pending.class);
        assertThat(woken.poll(5, TimeUnit.SECONDS)).isEqualTo(CONFIG);
        assertThat(request()).isEqualTo(new LookupResult.Known<>(ByteString.encodeUtf8(GOOD)));
    }

    @Test
    void aServerThatRefuses_isAskedAgain_andTheTokenStaysOutOfTheMessage() throws InterruptedException {
        code = 503;
        assertThat(request()).isInstanceOf(LookupResult.Pending.class);
        assertThat(woken.poll(5, TimeUnit.SECONDS)).isEqualTo(CONFIG);
        assertThat(request()).isInstanceOfSatisfying(LookupResult.Failed.class, failed -> {
            assertThat(failed.reason()).isEqualTo("IgnitionDownloadFailed");
            assertThat(failed.message()).contains("status 503").doesNotContain("TOKEN");
        });

        code = 200;
        awaitKnown();
    }

    @Test
    void anIgnitionWithoutTheMark_isDownloadedUntilItFollows() throws InterruptedException {
        mark = DiscoveryMark.of("network of now");
        body = DiscoveryMark.of("network of before").addTo(Ignition.empty()).toJson();
        assertThat(request()).isInstanceOf(LookupResult.Pending.class);
        assertThat(woken.poll(5, TimeUnit.SECONDS)).isEqualTo(CONFIG);
        assertThat(request()).isInstanceOfSatisfying(LookupResult.Failed.class, failed -> {
            assertThat(failed.reason()).isEqualTo("DownloadingIgnition");
            assertThat(failed.message())
                    .isEqualTo(
                            "The discovery ignition of InfraEnv ns/m lacks the latest changes of the InfraEnv or of its"
                                    + " NMStateConfigs: it is downloaded until assisted-service has taken them over");
        });

        body = mark.addTo(Ignition.empty()).toJson();
        awaitKnown();
    }

    @Test
    void anAnswerThatIsNoIgnition_isAFailure() throws InterruptedException {
        body = "busy";
        assertThat(request()).isInstanceOf(LookupResult.Pending.class);
        assertThat(woken.poll(5, TimeUnit.SECONDS)).isEqualTo(CONFIG);
        assertThat(request())
                .isInstanceOfSatisfying(
                        LookupResult.Failed.class,
                        failed -> assertThat(failed.reason()).isEqualTo("InvalidIgnition"));
    }

    @Test
    void anAnswerThatNoSecretCanHold_isAFailure() throws InterruptedException {
        body = "x".repeat((1 << 20) + 1);
        assertThat(request()).isInstanceOf(LookupResult.Pending.class);
        assertThat(woken.poll(5, TimeUnit.SECONDS)).isEqualTo(CONFIG);
        assertThat(request())
                .isInstanceOfSatisfying(
                        LookupResult.Failed.class,
                        failed -> assertThat(failed.message()).contains("larger than 1 MiB"));
    }

    /** Another attempt may have failed before the server changed. */
    private void awaitKnown() throws InterruptedException {
        do {
            assertThat(woken.poll(5, TimeUnit.SECONDS)).isEqualTo(CONFIG);
        } while (!(request() instanceof LookupResult.Known));
    }

    private LookupResult<ByteString> request() {
        HttpUrl url = Objects.requireNonNull(
                HttpUrl.parse("http://127.0.0.1:" + server.getAddress().getPort() + "/ign?api_key=TOKEN"));
        return downloads.request(
                CONFIG, new IgnitionDownloads.Wanted(url, "1", mark, "The discovery ignition of InfraEnv ns/m"));
    }
}
