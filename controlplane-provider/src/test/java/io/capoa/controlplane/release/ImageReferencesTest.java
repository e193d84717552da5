package io.capoa.controlplane.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ImageReferencesTest {

    private static ImageReferences parse(String file) throws IOException {
        return ImageReferences.parse(file.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void readsJsonAndYaml() throws IOException {
        String json = """
                {"metadata":{"name":"4.20.0"},"spec":{"tags":[
                  {"name":"cli","annotations":{"io.openshift.build.versions":"kubectl=1.33.4"}},
                  {"name":"hyperkube","annotations":{"io.openshift.build.versions":"kubernetes=1.33.5"}}]}}
                """;
        String yaml = """
                metadata:
                  name: 4.20.0
                spec:
                  tags:
                  - name: x
                  - name: hyperkube
                    annotations:
                      io.openshift.build.versions: kubernetes=1.33.5
                """;
        ImageReferences expected = new ImageReferences("4.20.0", Optional.of("1.33.5"));
        assertThat(parse(json)).isEqualTo(expected);
        assertThat(parse(yaml)).isEqualTo(expected);
    }

    @Test
    void whenNoComponentSaysKubernetes_saysNone() throws IOException {
        String odd = "{\"spec\":{\"tags\":[{\"annotations\":{\"io.openshift.build.versions\":\"kubernetes=1=2\"}}]}}";
        assertThat(parse(odd)).isEqualTo(new ImageReferences("", Optional.empty()));
        assertThat(parse("{}").kubernetesVersion()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"metadata\":{\"name\":\"%s\"}}",
                "metadata: {name: '%s'}",
                "{\"spec\":{\"tags\":[{\"annotations\":{\"io.openshift.build.versions\":\"kubernetes=%s\"}}]}}"
            })
    void aVersionThatIsNone_isRefused_andQuotedInShort(String file) {
        assertThatThrownBy(() -> parse(file.formatted("4.20.0".repeat(50_000))))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("which is no version")
                .extracting(e -> String.valueOf(e.getMessage()).length())
                .matches(length -> length < 300, "a short message");
        assertThatThrownBy(() -> parse(file.formatted("4.20/../../x"))).hasMessageContaining("which is no version");
    }

    @Test
    void contentThatWouldFillTheMemory_isRefused() {
        String many = "{\"spec\":{\"tags\":[" + "{},".repeat(100_000) + "{}]}}";
        assertThatThrownBy(() -> parse(many)).isInstanceOf(IOException.class);
        String deep = "{\"x\":" + "[".repeat(100_000);
        assertThatThrownBy(() -> parse(deep)).isInstanceOf(IOException.class);
        String deepYaml = "x: " + "[".repeat(100_000);
        assertThatThrownBy(() -> parse(deepYaml)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> parse("x: \u0001 %")).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> parse("{\"spec\":{\"tags\":[{}")).isInstanceOf(IOException.class);
    }
}
