package io.capoa.bootstrap.boot;

import io.capoa.api.bootstrap.v1beta1.ConfigConditions;
import io.capoa.bootstrap.ignition.Ignition;
import io.capoa.runtime.node.InvalidIgnitionException;
import io.capoa.runtime.untrusted.AnswerLimit;
import io.capoa.runtime.untrusted.RefusedAnswerException;
import io.capoa.runtime.untrusted.UntrustedServers;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.io.IOException;
import java.io.InterruptedIOException;
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
import javax.net.ssl.SSLException;
import okhttp3.Call;
import okhttp3.Callback;
import okhttp3.Dispatcher;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import okio.Buffer;
import okio.BufferedSource;
import okio.ByteString;

/**
 * Fetches discovery ignitions beside the reconciles, one per config, and wakes the config when something has changed. A
 * failed download is tried again with a growing, jittered pause. Requests to one server wait for that server alone.
 */
public final class IgnitionDownloads implements AutoCloseable {

    /** What a Secret can hold. */
    private static final int MAX_BYTES = 1 << 20;

    private static final int STEP = 64 << 10;
    private static final Duration CONNECT = Duration.ofSeconds(10);
    private static final Duration SILENCE = Duration.ofSeconds(15);

    /** From the request to the last byte: it ends an answer that trickles. */
    private static final Duration WHOLE = Duration.ofSeconds(30);

    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

    private volatile OkHttpClient http;
    private final Clock clock;
    private final Consumer<ResourceID> wake;
    private final Map<ResourceID, Attempt> attempts = new HashMap<>();
    private final HeldIgnitions held = new HeldIgnitions();
    private volatile String remark = "";
    private volatile Runnable distrusted = () -> {};

    /** The work on one config's download; replaced when the address, or what is behind it, changes. */
    private static final class Attempt {
        private final HttpUrl url;
        private final String version;
        private final String source;
        private Download state = new Download.Pending();
        private int failures;
        /** Bytes that count as held for it. */
        private int bytes;

        private Attempt(HttpUrl url, String version, String source) {
            this.url = url;
            this.version = version;
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
        this.http = UntrustedServers.guard(http.newBuilder(), new AnswerLimit(MAX_BYTES), false)
                .dispatcher(dispatcher)
                .connectTimeout(CONNECT)
                .readTimeout(SILENCE)
                .callTimeout(WHOLE)
                .build();
        this.clock = clock;
        this.wake = wake;
    }

    /**
     * Asks for the config's ignition: starts the download unless it is under way, and says how far it is.
     *
     * @param version changes when the content behind the address may have changed
     * @param source what the ignition is called in messages, such as "The discovery ignition of InfraEnv a/b"
     */
    public Download request(ResourceID config, HttpUrl url, String version, String source) {
        Attempt started;
        synchronized (this) {
            Attempt known = attempts.get(config);
            if (known != null && known.url.equals(url) && known.version.equals(version)) {
                return known.state;
            }
            if (known != null) {
                release(config, known);
            }
            started = new Attempt(url, version, source);
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
                    Attempt next = new Attempt(attempt.url, attempt.version, attempt.source);
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

    /** Runs this whenever a server's certificate is not trusted; it must not block. */
    public void whenDistrusted(Runnable reaction) {
        distrusted = reaction;
    }

    /** Drops what is known for the config: its data has been stored, or it is being deleted. */
    public synchronized void forget(ResourceID config) {
        Attempt known = attempts.remove(config);
        if (known != null) {
            release(config, known);
        }
    }

    private synchronized void hold(ResourceID config, Attempt attempt, int bytes) throws RefusedAnswerException {
        // What is no longer asked for is given back when its download ends.
        if (!held.take(namespace(config), bytes)) {
            throw new RefusedAnswerException("too many large ignitions are being downloaded now");
        }
        attempt.bytes += bytes;
    }

    private synchronized void release(ResourceID config, Attempt attempt) {
        held.give(namespace(config), attempt.bytes);
        attempt.bytes = 0;
    }

    private static String namespace(ResourceID config) {
        return config.getNamespace().orElse("");
    }

    private void start(ResourceID config, Attempt attempt) {
        http.newCall(new Request.Builder().url(attempt.url).build()).enqueue(new Callback() {
            @Override
            public void onResponse(Call call, Response response) {
                try (response) {
                    finish(config, attempt, response);
                } catch (IOException broken) {
                    fail(config, attempt, why("the connection broke", broken));
                }
            }

            @Override
            public void onFailure(Call call, IOException unreachable) {
                if (unreachable instanceof SSLException) {
                    distrusted.run();
                }
                fail(config, attempt, why("the server cannot be reached", unreachable));
            }
        });
    }

    private void finish(ResourceID config, Attempt attempt, Response response) throws IOException {
        if (response.code() != 200) {
            fail(config, attempt, "the server answered with status " + response.code());
            return;
        }
        ByteString bytes = read(config, attempt, response.body().source());
        try {
            Ignition.parse(bytes.toByteArray(), attempt.source);
        } catch (InvalidIgnitionException invalid) {
            failFor(config, attempt, ConfigConditions.INVALID_IGNITION, String.valueOf(invalid.getMessage()));
            return;
        }
        settle(config, attempt, new Download.Known(bytes));
    }

    private ByteString read(ResourceID config, Attempt attempt, BufferedSource source) throws IOException {
        Buffer all = new Buffer();
        while (!source.exhausted()) {
            hold(config, attempt, STEP);
            long end = all.size() + STEP;
            while (all.size() < end && source.read(all, end - all.size()) >= 0) {
                // Until the step is full or the answer has ended.
            }
        }
        return all.readByteString();
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
        release(config, attempt);
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
                release(config, attempt);
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

    /** Of other failures the class, not the message: that could quote the request. */
    private static String why(String what, IOException failure) {
        return RefusedAnswerException.behind(failure)
                .map(refused -> "the server's answer is not used, because " + refused.getMessage())
                .orElseGet(() -> failure instanceof InterruptedIOException
                        ? "the server does not answer within %d s, or not to the end within %d s"
                                .formatted(SILENCE.toSeconds(), WHOLE.toSeconds())
                        : what + " (" + failure.getClass().getSimpleName() + ")");
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
