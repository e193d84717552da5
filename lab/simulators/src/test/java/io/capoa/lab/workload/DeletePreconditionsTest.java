package io.capoa.lab.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DeletePreconditionsTest {

    /** Kubernetes' envelope around {@code v1 DeleteOptions}; then the length and bytes of its content follow. */
    private static final String ENVELOPE = "6b387300" + "0a13" + "0a02" + hex("v1") + "120d" + hex("DeleteOptions");

    @Test
    void inProtobuf_theyAreReadPastOtherFields() throws IOException {
        // gracePeriodSeconds 30, preconditions {uid abc, resourceVersion 7}, propagationPolicy Background.
        String options = "081e" + "1208" + "0a03" + hex("abc") + "1201" + hex("7") + "220a" + hex("Background");
        assertThat(DeletePreconditions.read(bytes(ENVELOPE + "1218" + options + "1a00" + "2200")))
                .isEqualTo(Map.of("uid", "abc", "resourceVersion", "7"));
    }

    @Test
    void inProtobuf_optionsWithoutThem_haveNone() throws IOException {
        assertThat(DeletePreconditions.read(bytes(ENVELOPE + "1200" + "1a00" + "2200")))
                .isEmpty();
    }

    @Test
    void inJson() throws IOException {
        String options = "{\"kind\":\"DeleteOptions\",\"apiVersion\":\"v1\",\"preconditions\":{\"uid\":\"abc\"}}";
        assertThat(DeletePreconditions.read(options.getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(Map.of("uid", "abc"));
        assertThat(DeletePreconditions.read(new byte[0])).isEmpty();
    }

    @Test
    void anythingElse_isRefused() {
        assertThatThrownBy(() -> DeletePreconditions.read(bytes("6b387300" + "12ff")))
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> DeletePreconditions.read("uid".getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(IOException.class);
    }

    private static String hex(String text) {
        return HexFormat.of().formatHex(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex);
    }
}
