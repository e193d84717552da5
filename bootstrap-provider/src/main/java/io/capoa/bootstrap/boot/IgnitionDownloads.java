package io.capoa.bootstrap.boot;

import io.capoa.api.bootstrap.v1beta1.ConfigConditions;
import io.capoa.api.rules.node.InvalidIgnitionException;
import io.capoa.bootstrap.ignition.DiscoveryMark;
import io.capoa.bootstrap.ignition.Ignition;
import io.capoa.runtime.lookup.Answer;
import io.capoa.runtime.lookup.AsyncLookup;
import io.capoa.runtime.lookup.LookupResult;
import io.capoa.runtime.lookup.LookupSource;
import io.capoa.runtime.lookup.Repetition;
import io.capoa.runtime.threads.VirtualThreads;
import io.capoa.runtime.untrusted.AnswerLimit;
import io.capoa.runtime.untrusted.RefusedAnswerException;
import io.capoa.runtime.untrusted.UntrustedServers;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
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
import org.jspecify.annotations.Nullable;

/**
 * Downloads discovery ignitions off the reconcile threads, one per config, and requeues the config when the state of its
 * download has changed. A failed download is repeated after a growing, jittered pause. Each server has a queue of its own.
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
    private final Consumer<ResourceID> trigger;
    private final AsyncLookup<ResourceID, Target, LookupResult<ByteString>> lookup;
    private final HeldIgnitions held = new HeldIgnitions();
    private final ServiceAuthorities authorities;
    private volatile String remark = "";
    private volatile Runnable distrusted = () -> {};

    /**
     * What a config asks for.
     *
     * @param version changes when the content behind the address may have changed
     * @param mark that the ignition must have; {@code null} if it need not have one
     * @param source what messages call the ignition, such as "The discovery ignition of InfraEnv a/b"
     */
    public record Wanted(
            HttpUrl url, String version, @Nullable DiscoveryMark mark, String source) {}

    /** What one config downloads; replaced when that changes. */
    private static final class Target {
        private final ResourceID config;
        private final Wanted wanted;
        /** Bytes that count as held for it. */
        private int bytes;

        private boolean dropped;

        private Target(ResourceID config, Wanted wanted) {
            this.config = config;
            this.wanted = wanted;
        }
    }

    /**
     * Starts without downloads.
     *
     * @param http configured with the trusted certificates; timeouts and limits are added here
     * @param trigger called, from any thread, when a config's download has a new state
     */
    public IgnitionDownloads(OkHttpClient http, Clock clock, Consumer<ResourceID> trigger) {
        Dispatcher dispatcher = new Dispatcher(VirtualThreads.perTask("ignition-"));
        dispatcher.setMaxRequests(256);
        dispatcher.setMaxRequestsPerHost(32);
        this.http = UntrustedServers.guard(http.newBuilder(), "assisted-service", new AnswerLimit(MAX_BYTES), false)
                .dispatcher(dispatcher)
                .connectTimeout(CONNECT)
                .readTimeout(SILENCE)
                .callTimeout(WHOLE)
                .build();
        this.clock = clock;
        this.trigger = trigger;
        this.authorities = new ServiceAuthorities(trigger);
        this.lookup = AsyncLookup.start("ignition-lookup", new Servers(), Repetition.ALWAYS, clock);
    }

    /** The state of the config's download, which the first request starts. */
    public synchronized LookupResult<ByteString> request(ResourceID config, Wanted wanted) {
        Target target = lookup.query(config)
                .filter(known -> known.wanted.equals(wanted))
                .orElseGet(() -> {
                    forget(config);
                    return new Target(config, wanted);
                });
        return lookup.request(config, target, Duration.ZERO).map(Answer::value).orElseGet(LookupResult.Pending::new);
    }

    /** The CA certificates for hosts that download by themselves. */
    public ServiceAuthorities authorities() {
        return authorities;
    }

    /** Replaces the trusted certificates and repeats failed downloads at once. */
    void trust(TrustedCertificates trust) {
        synchronized (this) {
            remark = "";
            http = http.newBuilder()
                    .sslSocketFactory(trust.sockets(), trust.manager())
                    .build();
        }
        lookup.restartAll(LookupResult.Failed.class::isInstance);
    }

    /** Adds to messages about unreachable servers why the configured CA bundle is not used. */
    void distrust(String why) {
        remark = "; " + why;
    }

    /** Runs this whenever a server's certificate is not trusted; it must not block. */
    public void whenDistrusted(Runnable reaction) {
        distrusted = reaction;
    }

    /** Drops the config's download: its data has been stored, or the config is being deleted. */
    public synchronized void forget(ResourceID config) {
        lookup.query(config).ifPresent(target -> {
            lookup.forget(config);
            target.dropped = true;
            release(target);
        });
    }

    private synchronized void hold(Target target, int bytes) throws RefusedAnswerException {
        // The bytes of a dropped target are released when its download ends.
        if (!held.take(namespace(target), bytes)) {
            throw new RefusedAnswerException("too many large ignitions are being downloaded now");
        }
        target.bytes += bytes;
    }

    private synchronized void release(Target target) {
        held.give(namespace(target), target.bytes);
        target.bytes = 0;
    }

    private synchronized void releaseIfDropped(Target target) {
        if (target.dropped) {
            release(target);
        }
    }

    private static String namespace(Target target) {
        return target.config.getNamespace().orElse("");
    }

    private final class Servers implements LookupSource<ResourceID, Target, LookupResult<ByteString>> {

        @Override
        public void ask(
                ResourceID config, Target target, int failures, Consumer<@Nullable LookupResult<ByteString>> done) {
            release(target);
            http.newCall(new Request.Builder().url(target.wanted.url()).build()).enqueue(new Callback() {
                @Override
                public void onResponse(Call call, Response response) {
                    try (response) {
                        end(read(target, failures, response));
                    } catch (IOException broken) {
                        end(failed(target, failures, why("the connection broke", broken)));
                    }
                }

                @Override
                public void onFailure(Call call, IOException unreachable) {
                    if (unreachable instanceof SSLException) {
                        distrusted.run();
                    }
                    end(failed(target, failures, why("the server cannot be reached", unreachable)));
                }

                private void end(LookupResult<ByteString> download) {
                    done.accept(download);
                    releaseIfDropped(target);
                }
            });
        }

        /** A failure stays visible until the next answer, so that the condition does not flap between attempts. */
        @Override
        public Optional<Duration> again(
                Target target,
                @Nullable LookupResult<ByteString> latest,
                @Nullable LookupResult<ByteString> kept,
                int failures) {
            return LookupResult.pause(latest, clock.instant());
        }

        @Override
        public void changed(ResourceID config) {
            trigger.accept(config);
        }
    }

    private LookupResult<ByteString> read(Target target, int failures, Response response) throws IOException {
        if (response.code() != 200) {
            return failed(target, failures, "the server answered with status " + response.code());
        }
        ByteString bytes = read(target, response.body().source());
        try {
            Ignition ignition = Ignition.parse(bytes.toByteArray(), target.wanted.source());
            DiscoveryMark mark = target.wanted.mark();
            if (mark != null && DiscoveryMark.in(ignition).filter(mark::equals).isEmpty()) {
                return failed(
                        target,
                        failures,
                        ConfigConditions.DOWNLOADING_IGNITION,
                        target.wanted.source() + " lacks the latest changes of the InfraEnv or of its NMStateConfigs:"
                                + " it is downloaded until assisted-service has taken them over");
            }
        } catch (InvalidIgnitionException invalid) {
            return failed(target, failures, ConfigConditions.INVALID_IGNITION, String.valueOf(invalid.getMessage()));
        }
        return new LookupResult.Known<>(bytes);
    }

    private ByteString read(Target target, BufferedSource source) throws IOException {
        Buffer all = new Buffer();
        while (!source.exhausted()) {
            hold(target, STEP);
            long end = all.size() + STEP;
            while (all.size() < end && source.read(all, end - all.size()) >= 0) {
                // Until the step is full or the answer has ended.
            }
        }
        return all.readByteString();
    }

    private LookupResult<ByteString> failed(Target target, int failures, String why) {
        String message = target.wanted.source() + " cannot be downloaded from " + withoutQuery(target.wanted.url())
                + ": " + why + remark;
        return failed(target, failures, ConfigConditions.IGNITION_DOWNLOAD_FAILED, message);
    }

    private LookupResult<ByteString> failed(Target target, int failures, String reason, String message) {
        release(target);
        return new LookupResult.Failed<>(reason, message, clock.instant().plus(pause(failures)));
    }

    private static Duration pause(int failures) {
        long full = Math.min(LONGEST_PAUSE.toMillis(), FIRST_PAUSE.toMillis() << Math.min(failures, 16));
        return Duration.ofMillis(full / 2 + ThreadLocalRandom.current().nextLong(full / 2 + 1));
    }

    /** Names an unexpected exception by its class: its message could quote the request's token. */
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
        lookup.close();
        http.dispatcher().cancelAll();
        http.dispatcher().executorService().shutdown();
        http.connectionPool().evictAll();
    }
}
