package io.capoa.bootstrap.ignition;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DiscoveryReferenceTest {

    private static final String URL = "https://assisted.example.com/api/assisted-install/v2/infra-envs/"
            + "8d8c7a0e-3f3c-4b8e-9d5e-0a1b2c3d4e5f/downloads/files?api_key=" + "t".repeat(400)
            + "&file_name=discovery.ign";
    private static final String NAMED = "nodeRegistration: {name: $METADATA_LOCAL_HOSTNAME, metadataSource: %s}";
    private static final ObjectMapper JSON = new ObjectMapper();

    private static JsonNode reference(String certificates, String spec) throws IOException {
        byte[] data = NodeIgnition.discoveryReference(URL, certificates, Specs.of(spec));
        assertThat(Ignition.parse(data, "test").version()).isEqualTo("3.1.0");
        return JSON.readTree(data).path("ignition");
    }

    private static String content(JsonNode resource) throws IOException {
        String prefix = "data:;base64,";
        assertThat(resource.path("source").asText()).startsWith(prefix);
        assertThat(resource.path("compression").asText()).isEqualTo("gzip");
        byte[] gzip =
                Base64.getDecoder().decode(resource.path("source").asText().substring(prefix.length()));
        return new String(new GZIPInputStream(new ByteArrayInputStream(gzip)).readAllBytes(), StandardCharsets.UTF_8);
    }

    /** Certificates of the usual size, of content that cannot be compressed. */
    private static String certificates(int number) {
        StringBuilder pem = new StringBuilder();
        Random random = new Random(1);
        for (int i = 0; i < number; i++) {
            byte[] der = new byte[1100];
            random.nextBytes(der);
            pem.append("-----BEGIN CERTIFICATE-----\n")
                    .append(Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der))
                    .append("\n-----END CERTIFICATE-----\n");
        }
        return pem.toString();
    }

    @Test
    void withoutSettings_theAddressIsAll() throws IOException {
        JsonNode ignition = reference("", "{}");

        assertThat(ignition.toString())
                .isEqualTo("{\"version\":\"3.1.0\",\"config\":{\"merge\":[{\"source\":\"" + URL + "\"}]}}");
    }

    @Test
    void theServersCertificates_areThoseOfTheWholeBoot() throws IOException {
        String pem = certificates(2);

        JsonNode authorities = reference(pem, "{}").path("security").path("tls").path("certificateAuthorities");

        assertThat(authorities).hasSize(1);
        assertThat(content(authorities.get(0))).isEqualTo(pem);
    }

    @Test
    void theHostname_isMergedAfterTheDiscoveryIgnition() throws IOException {
        JsonNode merged = reference("", NAMED.formatted("AWS")).path("config").path("merge");

        assertThat(merged).hasSize(2);
        assertThat(merged.get(0).path("source").asText()).isEqualTo(URL);
        assertThat(Ignition.parse(content(merged.get(1)), "test")
                        .units()
                        .map(unit -> unit.path("name").asText()))
                .containsExactly("capoa-cloud-metadata.service", "set-hostname.service");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ConfigDrive", "AWS", "Azure", "GCP", "OpenStack"})
    void theReference_fitsIntoTheSmallestUserData_withABundleOfCertificates(String source) {
        byte[] data = NodeIgnition.discoveryReference(URL, certificates(3), Specs.of(NAMED.formatted(source)));

        assertThat(data.length).isLessThan(16 << 10);
    }

    @Test
    void theSameSettings_giveTheSameBytes() {
        String spec = NAMED.formatted("GCP");

        assertThat(NodeIgnition.discoveryReference(URL, certificates(1), Specs.of(spec)))
                .isEqualTo(NodeIgnition.discoveryReference(URL, certificates(1), Specs.of(spec)));
    }
}
