package io.capoa.controlplane.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Clock;
import java.util.Objects;
import java.util.Optional;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.ResponseBody;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What token services may say, and what becomes of what they may not. */
class RegistryTokensTest {

    private static final HttpUrl REGISTRY = Objects.requireNonNull(HttpUrl.parse("https://registry.test/"));
    private static final RegistryTokens.Scope SCOPE = new RegistryTokens.Scope(REGISTRY, "a/b", "");

    private final RegistryTokens tokens = new RegistryTokens(Clock.systemUTC(), 1_000);

    private Optional<String> answer(String body) throws IOException {
        Response challenge = response(new Request.Builder().url(REGISTRY).build(), 401, "")
                .header("WWW-Authenticate", "Bearer realm=\"https://token.test/give\",service=\"s\"")
                .build();
        OkHttpClient service = new OkHttpClient.Builder()
                .addInterceptor(chain -> response(chain.request(), 200, body).build())
                .build();
        return tokens.answer(challenge, SCOPE, new RegistryCredentials.Anonymous(), service);
    }

    private static Response.Builder response(Request request, int code, String body) {
        return new Response.Builder()
                .request(request)
                .protocol(Protocol.HTTP_1_1)
                .message("")
                .code(code)
                .body(ResponseBody.create(body, null));
    }

    @ParameterizedTest
    @ValueSource(strings = {"9223372036854775807", "300", "3600"})
    void aToken_isKeptForAWhile_howeverLongItClaimsToLive(String seconds) throws IOException {
        assertThat(answer("{\"token\":\"t\",\"expires_in\":%s}".formatted(seconds)))
                .contains("Bearer t");
        assertThat(tokens.known(SCOPE)).contains("Bearer t");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-9223372036854775808", "0"})
    void aTokenThatHasEnded_servesOnce(String seconds) throws IOException {
        assertThat(answer("{\"token\":\"t\",\"expires_in\":%s}".formatted(seconds)))
                .contains("Bearer t");
        assertThat(tokens.known(SCOPE)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "[]", "{\"token\":\"a\\nb\"}", "{\"token\":\"ü\"}", "<html>", "{\"token\":"})
    void anAnswerWithoutATokenThatCanBeSent_namesTheService(String body) {
        assertThatThrownBy(() -> answer(body)).isInstanceOf(IOException.class).hasMessageContaining("token.test");
    }

    @Test
    void aTokenOfAnyLength_isNotKept() {
        assertThatThrownBy(() -> answer("{\"token\":\"%s\"}".formatted("t".repeat(20_000))))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("token.test");
    }
}
