package io.capoa.controlplane.release;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.capoa.api.untrusted.UntrustedContent;
import io.capoa.runtime.untrusted.AnswerLimit;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import okhttp3.Challenge;
import okhttp3.FormBody;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/** Gets and keeps what is sent as {@code Authorization} (distribution token and OAuth2 specifications). */
final class RegistryTokens {

    private static final int MOST = 500;
    private static final long LIFETIME_SECONDS = 60;
    private static final long LONGEST_LIFETIME_SECONDS = 3_600;
    private static final ObjectMapper JSON = UntrustedContent.json();

    /** What may stand in a header, and has the length of a token: hundreds are kept. */
    private static final Pattern TOKEN = Pattern.compile("[!-~]{1,16384}");

    /** Recipient of a header. */
    record Scope(HttpUrl registry, String repository, String credentials) {}

    private record Header(String value, Instant until) {}

    private final Clock clock;
    private final int answerLimit;
    private final Map<Scope, Header> headers = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Scope, Header> eldest) {
            return size() > MOST;
        }
    };

    /**
     * Keeps no token yet.
     *
     * @param answerLimit bytes of a token service's answer
     */
    RegistryTokens(Clock clock, int answerLimit) {
        this.clock = clock;
        this.answerLimit = answerLimit;
    }

    /** The header that served last time, if it still does. */
    synchronized Optional<String> known(Scope scope) {
        return Optional.ofNullable(headers.get(scope))
                .filter(h -> clock.instant().isBefore(h.until()))
                .map(Header::value);
    }

    /**
     * Answers a registry's challenge.
     *
     * @return empty if these credentials cannot
     * @throws IOException the token service does not answer as it should; the message names it
     */
    Optional<String> answer(Response challenged, Scope scope, RegistryCredentials credentials, OkHttpClient client)
            throws IOException {
        for (Challenge challenge : challenged.challenges()) {
            if (challenge.scheme().equalsIgnoreCase("Bearer")) {
                return bearer(challenge, scope, credentials, client);
            }
        }
        if (credentials instanceof RegistryCredentials.Basic basic
                && challenged.challenges().stream().anyMatch(c -> c.scheme().equalsIgnoreCase("Basic"))) {
            String header = basic(basic);
            keep(scope, new Header(header, Instant.MAX));
            return Optional.of(header);
        }
        return Optional.empty();
    }

    private Optional<String> bearer(
            Challenge challenge, Scope scope, RegistryCredentials credentials, OkHttpClient client) throws IOException {
        if (credentials instanceof RegistryCredentials.RegistryToken token) {
            return Optional.of("Bearer " + token.token());
        }
        String realm = challenge.authParams().getOrDefault("realm", "");
        HttpUrl url = HttpUrl.parse(realm);
        if (url == null || (scope.registry().isHttps() && !url.isHttps())) {
            throw new IOException("registry %s names a token service that cannot be trusted with credentials: \"%s\""
                    .formatted(scope.registry().host(), UntrustedContent.quoted(realm)));
        }
        Request request = tokenRequest(url, challenge.authParams().get("service"), scope, credentials)
                .newBuilder()
                .tag(AnswerLimit.class, new AnswerLimit(answerLimit))
                .build();
        try (Response response = client.newCall(request).execute()) {
            if (response.code() == 400 || response.code() == 401 || response.code() == 403) {
                return Optional.empty();
            }
            if (!response.isSuccessful()) {
                throw new IOException("token service %s answers %d".formatted(url.host(), response.code()));
            }
            JsonNode body = read(response, url);
            String token = body.path("token").asText(body.path("access_token").asText(""));
            if (!TOKEN.matcher(token).matches()) {
                throw new IOException(
                        "token service %s answers without a token that can be used".formatted(url.host()));
            }
            long seconds = Math.clamp(body.path("expires_in").asLong(LIFETIME_SECONDS), 0, LONGEST_LIFETIME_SECONDS);
            // Half its life: a token must not end between two requests for one release.
            keep(scope, new Header("Bearer " + token, clock.instant().plusSeconds(seconds / 2)));
            return Optional.of("Bearer " + token);
        }
    }

    private static JsonNode read(Response response, HttpUrl url) throws IOException {
        try {
            return JSON.readTree(response.body().byteStream());
        } catch (JacksonException e) {
            throw new IOException("token service %s answers with something that is not JSON".formatted(url.host()), e);
        }
    }

    private static Request tokenRequest(
            HttpUrl realm, @Nullable String service, Scope scope, RegistryCredentials credentials) {
        String access = "repository:" + scope.repository() + ":pull";
        if (credentials instanceof RegistryCredentials.IdentityToken identity) {
            FormBody form = new FormBody.Builder()
                    .add("grant_type", "refresh_token")
                    .add("client_id", "capoa")
                    .add("service", service == null ? "" : service)
                    .add("scope", access)
                    .add("refresh_token", identity.token())
                    .build();
            return new Request.Builder().url(realm).post(form).build();
        }
        HttpUrl.Builder url = realm.newBuilder();
        if (service != null) {
            url.addQueryParameter("service", service);
        }
        url.addQueryParameter("scope", access);
        Request.Builder request = new Request.Builder().url(url.build());
        if (credentials instanceof RegistryCredentials.Basic basic) {
            request.header("Authorization", basic(basic));
        }
        return request.build();
    }

    private synchronized void keep(Scope scope, Header header) {
        headers.put(scope, header);
    }

    private static String basic(RegistryCredentials.Basic credentials) {
        return okhttp3.Credentials.basic(credentials.username(), credentials.password(), StandardCharsets.UTF_8);
    }
}
