package io.capoa.controlplane.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.capoa.api.controlplane.v1beta1.ControlPlaneConditions;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import okio.ByteString;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.junit.jupiter.api.Test;

class LayerStreamTest {

    private static final RegistryLimits SMALL = new RegistryLimits(
            1_000,
            10_000,
            100_000,
            4_000,
            2_000,
            1_000,
            new RegistryLimits.Timeouts(Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofSeconds(1)));

    private static byte[] layer(String... pathsAndContents) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var tar = new TarArchiveOutputStream(new GZIPOutputStream(bytes))) {
            for (int i = 0; i < pathsAndContents.length; i += 2) {
                byte[] content = pathsAndContents[i + 1].getBytes(StandardCharsets.UTF_8);
                TarArchiveEntry entry = new TarArchiveEntry(pathsAndContents[i]);
                entry.setSize(content.length);
                tar.putArchiveEntry(entry);
                tar.write(content);
                tar.closeArchiveEntry();
            }
        }
        return bytes.toByteArray();
    }

    private static LayerSearch.Result search(byte[] layer, String digest) throws Exception {
        return search(layer, digest, SMALL);
    }

    private static LayerSearch.Result search(byte[] layer, String digest, RegistryLimits limits) throws Exception {
        return LayerStream.search(
                new ByteArrayInputStream(layer),
                new Manifest.Layer(digest, layer.length),
                "a/b",
                limits,
                new Quota("what the layers unpack to", limits.unpacked()),
                e -> new RegistryException(ControlPlaneConditions.RELEASE_IMAGE_INVALID, "damaged: " + e.getMessage()));
    }

    private static LayerSearch.Result found(String content) {
        return new LayerSearch.Result.Found(ByteString.encodeUtf8(content));
    }

    private static LayerSearch.Result search(String... pathsAndContents) throws Exception {
        byte[] layer = layer(pathsAndContents);
        return search(layer, Fingerprint.of(layer));
    }

    @Test
    void findsTheFileHoweverItsPathIsWritten() throws Exception {
        assertThat(search("x", "1", "./a/b", "2")).isEqualTo(found("2"));
        assertThat(search("/a/b", "2")).isEqualTo(found("2"));
        assertThat(search("a/bc", "2", "ab", "3")).isEqualTo(new LayerSearch.Result.Absent());
    }

    @Test
    void whiteoutsHideOlderLayersButNotTheirOwn() throws Exception {
        assertThat(search("a/.wh.b", "")).isEqualTo(new LayerSearch.Result.Removed());
        assertThat(search(".wh.a", "")).isEqualTo(new LayerSearch.Result.Removed());
        assertThat(search("a/.wh..wh..opq", "")).isEqualTo(new LayerSearch.Result.Removed());
        assertThat(search("a/.wh..wh..opq", "", "a/b", "2")).isEqualTo(found("2"));
        assertThat(search("a/.wh.c", "", "c/.wh..wh..opq", "")).isEqualTo(new LayerSearch.Result.Absent());
    }

    @Test
    void whenMoreComesThanIsAllowed_stops() {
        assertThatThrownBy(() -> search("a/b", "x".repeat(2_001)))
                .hasMessageContaining("a/b is larger than 2000 bytes");
        assertThatThrownBy(() -> search("z", "x".repeat(200_000)))
                .hasMessageContaining("what the layers unpack to is larger than 100000 bytes");
    }

    @Test
    void aBombIsLeftAlone_beforeItHasUnpacked() throws Exception {
        byte[] zeros = new byte[1 << 20];
        var member = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(member)) {
            gzip.write(zeros);
        }
        TarArchiveEntry entry = new TarArchiveEntry("zeros");
        entry.setSize(64L << 20);
        byte[] header = new byte[512];
        entry.writeEntryHeader(header);
        var bomb = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(bomb)) {
            gzip.write(header);
        }
        for (int i = 0; i < 64; i++) {
            bomb.writeBytes(member.toByteArray());
        }
        byte[] layer = bomb.toByteArray();
        assertThatThrownBy(() -> search(layer, Fingerprint.of(layer), RegistryLimits.standard()))
                .hasMessageContaining("it unpacks to more than 200 times its size");
    }

    @Test
    void whenTheBytesAreNotThePromisedOnes_believesNothing() throws Exception {
        byte[] layer = layer("a/b", "2");
        assertThatThrownBy(() -> search(layer, Fingerprint.of("other"))).hasMessageContaining("damaged: it has digest");
        byte[] cut = Arrays.copyOf(layer, layer.length / 2);
        assertThatThrownBy(() -> search(cut, Fingerprint.of(layer))).hasMessageContaining("damaged");
    }
}
