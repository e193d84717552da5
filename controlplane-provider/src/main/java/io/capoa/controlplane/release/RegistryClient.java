package io.capoa.controlplane.release;

import static io.capoa.api.controlplane.v1beta1.ControlPlaneConditions.RELEASE_IMAGE_INVALID;
import static io.capoa.api.controlplane.v1beta1.ControlPlaneConditions.RELEASE_IMAGE_NOT_FOUND;
import static io.capoa.api.controlplane.v1beta1.ControlPlaneConditions.RELEASE_REGISTRY_UNAUTHORIZED;
import static io.capoa.api.controlplane.v1beta1.ControlPlaneConditions.RELEASE_REGISTRY_UNREACHABLE;

import io.capoa.api.rules.ImageReference;
import io.capoa.runtime.proxy.HostNames;
import io.capoa.runtime.untrusted.AnswerLimit;
import io.capoa.runtime.untrusted.RefusedAnswerException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.ProtocolException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLException;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/** Speaks the OCI distribution protocol, as far as reading needs it. */
final class RegistryClient {

    private static final int TRIES = 3;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(200);

    /**
     * On whose behalf a registry is asked, and until when.
     *
     * @param caller identifies callers with different credentials
     */
    record Session(RegistryCredentials credentials, String caller, String caBundle, Deadline deadline) {}

    /** Takes what it needs from a blob. */
    @FunctionalInterface
    interface BlobReader<T> {
        T read(InputStream blob) throws IOException, RegistryException;
    }

    private final RegistryLimits limits;
    private final HttpClients clients;
    private final RegistryTokens tokens;
    private final Map<String, String> schemes = new ConcurrentHashMap<>();

    RegistryClient(RegistryLimits limits, Map<String, String> environment, Clock clock) {
        this.limits = limits;
        this.clients = new HttpClients(limits, environment);
        this.tokens = new RegistryTokens(clock, limits.token());
    }

    /** The bytes of a manifest; what comes for a digest has that digest. */
    byte[] manifest(RegistryMirrors.Source source, String version, Session session)
            throws RegistryException, InterruptedException {
        byte[] content = get(
                source, "manifests/" + version, new AnswerLimit(limits.manifest()), session, InputStream::readAllBytes);
        if (version.startsWith("sha256:") && !Fingerprint.of(content).equals(version)) {
            throw new RegistryException(
                    RELEASE_IMAGE_INVALID,
                    "registry %s sends another manifest than %s for %s"
                            .formatted(source.image().registry(), version, source.image()));
        }
        return content;
    }

    /** Streams a blob to the reader. */
    <T> T blob(RegistryMirrors.Source source, String digest, Session session, BlobReader<T> reader)
            throws RegistryException, InterruptedException {
        return get(source, "blobs/" + digest, new AnswerLimit(limits.layer()), session, reader);
    }

    private <T> T get(
            RegistryMirrors.Source source, String what, AnswerLimit limit, Session session, BlobReader<T> reader)
            throws RegistryException, InterruptedException {
        IOException last = null;
        String host = source.image().registry();
        List<String> candidates = schemesFor(source);
        for (String scheme : candidates) {
            boolean answered = false;
            try (Response response = exchange(scheme, source, what, limit, session)) {
                if (response.code() == 400 && !scheme.equals(candidates.getLast())) {
                    // Plain HTTP to a port that speaks TLS.
                    last = new IOException("it answers 400");
                    continue;
                }
                answered = true;
                schemes.put(host, scheme);
                check(response, source);
                return reader.read(response.body().byteStream());
            } catch (IOException e) {
                last = e;
                // A port that speaks the other scheme shows it in the handshake; whatever else broke breaks there too.
                if (answered || !isHandshake(e)) {
                    break;
                }
            }
        }
        throw unusable(source, last == null ? new IOException("no answer") : last);
    }

    private static boolean isHandshake(IOException e) {
        return (e instanceof SSLException || e instanceof ProtocolException)
                && RefusedAnswerException.behind(e).isEmpty();
    }

    private RegistryException unusable(RegistryMirrors.Source source, IOException cause) {
        String what = "registry %s gives no usable answer for %s: "
                .formatted(source.image().registry(), source.image());
        String why = RefusedAnswerException.behind(cause)
                .map(refused -> refused.getMessage() + "; correct the registry or choose another repository")
                .orElseGet(() -> said(cause) + "; check the network, the proxy and the trusted certificates");
        return new RegistryException(RELEASE_REGISTRY_UNREACHABLE, what + why, cause);
    }

    /** One request, repeated while the registry is busy; answers the challenge once. */
    private Response exchange(
            String scheme, RegistryMirrors.Source source, String what, AnswerLimit limit, Session session)
            throws IOException, InterruptedException, RegistryException {
        HttpUrl registry = url(scheme, source.image());
        OkHttpClient client = clients.client(source.insecure(), session.caBundle());
        var scope = new RegistryTokens.Scope(registry, source.image().path(), session.caller());
        String authorization = tokens.known(scope).orElse(null);
        boolean challenged = false;
        for (int attempt = 1; ; attempt++) {
            Response response = call(client, registry, source, what, limit, authorization, session);
            if (response.code() == 401 && !challenged) {
                try (response) {
                    challenged = true;
                    authorization = tokens.answer(response, scope, session.credentials(), timed(client, session))
                            .orElseThrow(() -> unauthorized(source, session.credentials()));
                    continue;
                }
            }
            boolean busy = response.code() == 429 || response.code() >= 500;
            Duration pause = pause(response, attempt);
            if (!busy || attempt >= TRIES || !session.deadline().allows(pause)) {
                return response;
            }
            response.close();
            Thread.sleep(pause);
        }
    }

    private static Response call(
            OkHttpClient client,
            HttpUrl registry,
            RegistryMirrors.Source source,
            String what,
            AnswerLimit limit,
            @Nullable String authorization,
            Session session)
            throws IOException {
        HttpUrl url = registry.newBuilder()
                .addPathSegment("v2")
                .addPathSegments(source.image().path())
                .addPathSegments(what)
                .build();
        Request.Builder request = new Request.Builder()
                .url(url)
                .tag(AnswerLimit.class, limit)
                .header("Accept", String.join(", ", Manifest.MEDIA_TYPES));
        if (authorization != null) {
            request.header("Authorization", authorization);
        }
        return timed(client, session).newCall(request.build()).execute();
    }

    private static OkHttpClient timed(OkHttpClient client, Session session) {
        return client.newBuilder().callTimeout(session.deadline().left()).build();
    }

    private static void check(Response response, RegistryMirrors.Source source) throws RegistryException {
        ImageReference image = source.image();
        switch (response.code()) {
            case 200 -> {}
            case 401, 403 -> throw unauthorized(source, null);
            case 404 ->
                throw new RegistryException(
                        RELEASE_IMAGE_NOT_FOUND,
                        "registry %s has no release image %s: check the version and the architecture"
                                .formatted(image.registry(), image));
            default ->
                throw new RegistryException(
                        RELEASE_REGISTRY_UNREACHABLE,
                        "registry %s answers %d for release image %s; it is asked again"
                                .formatted(image.registry(), response.code(), image));
        }
    }

    private static RegistryException unauthorized(
            RegistryMirrors.Source source, @Nullable RegistryCredentials credentials) {
        ImageReference image = source.image();
        String remedy = credentials instanceof RegistryCredentials.Anonymous
                ? "the pull secret has no entry for it: add one for \"%s\"".formatted(image.registry())
                : "check the pull secret's entry for \"%s\"".formatted(image.registry());
        return new RegistryException(
                RELEASE_REGISTRY_UNAUTHORIZED,
                "registry %s does not let release image %s be read; %s".formatted(image.registry(), image, remedy));
    }

    /** Plain HTTP comes first on this machine, last elsewhere, and only for registries marked insecure. */
    private List<String> schemesFor(RegistryMirrors.Source source) {
        String host = source.image().registry();
        if (!source.insecure()) {
            return List.of("https");
        }
        String known = schemes.get(host);
        boolean http = known == null ? HostNames.isLoopback(host) : known.equals("http");
        return http ? List.of("http", "https") : List.of("https", "http");
    }

    private static HttpUrl url(String scheme, ImageReference image) throws RegistryException {
        String host = image.registry().equals("docker.io") ? "registry-1.docker.io" : image.registry();
        HttpUrl url = HttpUrl.parse(scheme + "://" + host + "/");
        if (url == null) {
            throw new RegistryException(RELEASE_IMAGE_INVALID, "\"%s\" is no registry address".formatted(host));
        }
        return url;
    }

    private static Duration pause(Response response, int attempt) {
        String after = response.header("Retry-After");
        if (after != null && after.matches("\\d{1,5}")) {
            return Duration.ofSeconds(Long.parseLong(after));
        }
        return FIRST_PAUSE.multipliedBy(1L << (attempt - 1));
    }

    private String said(IOException e) {
        if (e instanceof InterruptedIOException) {
            return "it does not answer within %d s, or not to the end within %d s"
                    .formatted(
                            limits.timeouts().silence().toSeconds(),
                            limits.timeouts().whole().toSeconds());
        }
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }
}
