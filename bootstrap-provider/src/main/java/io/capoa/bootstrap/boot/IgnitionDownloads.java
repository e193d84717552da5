package io.capoa.bootstrap.boot;

import io.capoa.api.bootstrap.v1beta1.ConfigConditions;
import io.capoa.bootstrap.ignition.Ignition;
import io.capoa.runtime.node.InvalidIgnitionException;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import okhttp3.Call;
import okhttp3.Callback;
import okhttp3.Dispatcher;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import okio.ByteString;

/**
 * Fetches discovery ignitions beside the reconciles, one per config, and wakes the config when something has changed. A
 * failed download is tried again with a growing, jittered pause. Requests to one server wait for that server alone.
 */
public final class IgnitionDownloads implements AutoCloseable {

    /** What a Secret can hold. */
    private static final int MAX_BYTES = 1 << 20;

    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

    private volatile OkHttpClient http;
    private final Clock clock;
    private final Consumer<ResourceID> wake;
    private final Map<ResourceID, Attempt> attempts = new HashMap<>();
    private volatile String remark = "";

    /** The work on one config's download; replaced when the address changes. */
    private static final class Attempt {
        private final HttpUrl url;
        private final String source;
        private Download state = new Download.Pending();
        private int failures;

        private Attempt(HttpUrl url, String source) {
            this.url = url;
            this.source = source;
        }
    }

    /**
     * Begins with nothing under way.
     *
     * @param http how servers are trusted; time-outs and limits are added here
     * @param wake called, from any thread, when a config's download has a new state
     */
    public IgnitionDownloads(OkHttpClient http, Clock clock, Consumer<ResourceID> wake) {
        Dispatcher dispatcher = new Dispatcher(Executors.newThreadPerTaskExecutor(
                Thread.ofVirtual().name("ignition-", 0).factory()));
        dispatcher.setMaxRequests(256);
        dispatcher.setMaxRequestsPerHost(32);
        this.http = http.newBuilder()
                .dispatcher(dispatcher)
                .connectTimeout(Duration.ofSeconds(10))
                .readTimeout(Duration.ofSeconds(30))
                .callTimeout(Duration.ofSeconds(60))
                .build();
        this.clock = clock;
        this.wake = wake;
    }

    /**
     * Asks for the config's ignition: starts the download unless it is under way, and says how far it is.
     *
     * @param source what the ignition is called in messages, such as "The discovery ignition of InfraEnv a/b"
     */
    public Download request(ResourceID config, HttpUrl url, String source) {
        Attempt started;
        synchronized (this) {
            Attempt known = attempts.get(config);
            if (known != null && known.url.equals(url)) {
                return known.state;
            }
            started = new Attempt(url, source);
            attempts.put(config, started);
        }
        start(config, started);
        return new Download.Pending();
    }

    /** Trusts servers by other certificates from now on; what failed is tried again at once. */
    void trust(Trust trust) {
        Map<ResourceID, Attempt> again = new HashMap<>();
        synchronized (this) {
            remark = "";
            http = http.newBuilder()
                    .sslSocketFactory(trust.sockets(), trust.manager())
                    .build();
            attempts.forEach((config, attempt) -> {
                if (attempt.state instanceof Download.Failed) {
                    Attempt next = new Attempt(attempt.url, attempt.source);
                    next.state = attempt.state;
                    again.put(config, next);
                }
            });
            attempts.putAll(again);
        }
        again.forEach(this::start);
    }

    /** What is missing for servers to be trusted as was asked for; said when a server cannot be reached. */
    void distrust(String why) {
        remark = "; " + why;
    }

    /** Drops what is known for the config: its data has been stored, or it is being deleted. */
    public synchronized void forget(ResourceID config) {
        attempts.remove(config);
    }

    private void start(ResourceID config, Attempt attempt) {
        http.newCall(new Request.Builder().url(attempt.url).build()).enqueue(new Callback() {
            @Override
            public void onResponse(Call call, Response response) {
                try (response) {
                    finish(config, attempt, response);
                } catch (IOException broken) {
                    fail(config, attempt, "the connection broke (" + kind(broken) + ")");
                }
            }

            @Override
            public void onFailure(Call call, IOException unreachable) {
                fail(config, attempt, "the server cannot be reached (" + kind(unreachable) + ")");
            }
        });
    }

    private void finish(ResourceID config, Attempt attempt, Response response) throws IOException {
        if (response.code() != 200) {
            fail(config, attempt, "the server answered with status " + response.code());
            return;
        }
        byte[] bytes = response.body().byteStream().readNBytes(MAX_BYTES + 1);
        if (bytes.length > MAX_BYTES) {
            fail(config, attempt, "the answer is larger than 1 MiB");
            return;
        }
        try {
            Ignition.parse(bytes, attempt.source);
        } catch (InvalidIgnitionException invalid) {
            failFor(config, attempt, ConfigConditions.INVALID_IGNITION, String.valueOf(invalid.getMessage()));
            return;
        }
        settle(config, attempt, new Download.Known(ByteString.of(bytes)));
    }

    private void fail(ResourceID config, Attempt attempt, String why) {
        String message =
                attempt.source + " cannot be downloaded from " + withoutQuery(attempt.url) + ": " + why + remark;
        failFor(config, attempt, ConfigConditions.IGNITION_DOWNLOAD_FAILED, message);
    }

    private void failFor(ResourceID config, Attempt attempt, String reason, String message) {
        Duration pause;
        synchronized (this) {
            pause = pause(attempt.failures++);
        }
        Instant again = clock.instant().plus(pause);
        settle(config, attempt, new Download.Failed(reason, message, again));
        CompletableFuture.delayedExecutor(pause.toMillis(), TimeUnit.MILLISECONDS)
                .execute(() -> retry(config, attempt));
    }

    /** The failure stays visible until the next answer: a config is not to change its words at each try. */
    private void retry(ResourceID config, Attempt attempt) {
        synchronized (this) {
            if (attempts.get(config) != attempt) {
                return;
            }
        }
        start(config, attempt);
    }

    private void settle(ResourceID config, Attempt attempt, Download state) {
        synchronized (this) {
            if (attempts.get(config) != attempt) {
                return;
            }
            attempt.state = state;
        }
        wake.accept(config);
    }

    private static Duration pause(int failures) {
        long full = Math.min(LONGEST_PAUSE.toMillis(), FIRST_PAUSE.toMillis() << Math.min(failures, 16));
        return Duration.ofMillis(full / 2 + ThreadLocalRandom.current().nextLong(full / 2 + 1));
    }

    /** The class, not the message: that could quote the request. */
    private static String kind(IOException exception) {
        return exception.getClass().getSimpleName();
    }

    private static String withoutQuery(HttpUrl url) {
        return url.newBuilder().query(null).username("").password("").build().toString();
    }

    @Override
    public void close() {
        synchronized (this) {
            attempts.clear();
        }
        http.dispatcher().cancelAll();
        http.dispatcher().executorService().shutdown();
        http.connectionPool().evictAll();
    }
}
