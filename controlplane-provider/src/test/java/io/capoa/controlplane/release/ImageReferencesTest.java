package io.capoa.controlplane.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ImageReferencesTest {

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
        assertThat(ImageReferences.parse(json)).isEqualTo(expected);
        assertThat(ImageReferences.parse(yaml)).isEqualTo(expected);
    }

    @Test
    void whenNoComponentSaysKubernetes_saysNone() throws IOException {
        String odd = "{\"spec\":{\"tags\":[{\"annotations\":{\"io.openshift.build.versions\":\"kubernetes=1=2\"}}]}}";
        assertThat(ImageReferences.parse(odd)).isEqualTo(new ImageReferences("", Optional.empty()));
        assertThat(ImageReferences.parse("{}").kubernetesVersion()).isEmpty();
    }
}
