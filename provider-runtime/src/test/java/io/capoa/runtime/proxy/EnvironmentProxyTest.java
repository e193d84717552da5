package io.capoa.runtime.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Proxy;
import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EnvironmentProxyTest {

    private static String chosen(Map<String, String> environment, String uri) {
        Proxy proxy =
                new EnvironmentProxy(environment, null).select(URI.create(uri)).getFirst();
        return proxy.type() == Proxy.Type.DIRECT
                ? "direct"
                : proxy.address().toString().replace("/<unresolved>", "");
    }

    @Test
    void theProxyIsThatOfTheSchemeInUpperOrLowerCase() {
        assertThat(chosen(Map.of("HTTPS_PROXY", "http://p.lan:3128"), "https://quay.io/"))
                .isEqualTo("p.lan:3128");
        assertThat(chosen(Map.of("https_proxy", "p.lan:3128"), "https://quay.io/"))
                .isEqualTo("p.lan:3128");
        assertThat(chosen(Map.of("HTTPS_PROXY", "http://p.lan:3128"), "http://quay.io/"))
                .isEqualTo("direct");
    }

    @ParameterizedTest
    @CsvSource({
        "*,direct",
        "quay.io,direct",
        ".quay.io,p.lan:3128",
        "io,direct",
        "ay.io,p.lan:3128",
        "quay.io:443,direct",
        "quay.io:8443,p.lan:3128",
        "'a.lan, quay.io',direct"
    })
    void theListOfExceptionsCounts(String noProxy, String expected) {
        assertThat(chosen(Map.of("HTTPS_PROXY", "http://p.lan:3128", "NO_PROXY", noProxy), "https://quay.io/v2/"))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"https://10.1.2.3/,direct", "https://10.2.2.3/,p.lan:3128", "https://127.0.0.1:5000/,direct"})
    void networksAndThisMachineAreReachedDirectly(String uri, String expected) {
        assertThat(chosen(Map.of("HTTPS_PROXY", "http://p.lan:3128", "NO_PROXY", "10.1.0.0/16"), uri))
                .isEqualTo(expected);
    }
}
