package io.capoa.controlplane.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Archives are walked through in bounded memory, whatever their headers claim. */
class TarEntriesTest {

    private static final int HEADER = 8_192;
    private static final long CLAIMED = 900_000_000;

    /** The same bytes again and again, and how many were taken. */
    private static final class Endless extends InputStream {

        private final byte[] pattern;
        private int taken;

        Endless(byte... pattern) {
            this.pattern = pattern;
        }

        @Override
        public int read() {
            return pattern[taken++ % pattern.length];
        }

        @Override
        public int read(byte[] buffer, int offset, int length) {
            for (int i = 0; i < length; i++) {
                buffer[offset + i] = (byte) read();
            }
            return length;
        }
    }

    private static byte[] header(String name, byte type, long size) {
        TarArchiveEntry entry = new TarArchiveEntry(name, type);
        entry.setSize(size);
        byte[] record = new byte[512];
        entry.writeEntryHeader(record);
        return record;
    }

    private static TarEntries entries(InputStream... parts) {
        InputStream all = InputStream.nullInputStream();
        for (InputStream part : parts) {
            all = new SequenceInputStream(all, part);
        }
        return new TarEntries(all, HEADER);
    }

    private static InputStream bytes(byte[] content) {
        return new ByteArrayInputStream(content);
    }

    @ParameterizedTest
    @ValueSource(bytes = {TarConstants.LF_GNUTYPE_LONGNAME, TarConstants.LF_GNUTYPE_LONGLINK})
    void aLongNameWithoutAnEnd_isNotRead(byte type) {
        Endless name = new Endless((byte) 'n');
        assertThatThrownBy(() -> entries(bytes(header("././@LongLink", type, CLAIMED)), name)
                        .next())
                .isInstanceOf(IOException.class)
                .hasMessageContaining("an entry whose header is larger than 8192 bytes");
        assertThat(name.taken).isLessThan(4 * HEADER);
    }

    @ParameterizedTest
    @ValueSource(strings = {"900000000 path=", "900000000 p", ""})
    void aPaxRecordWithoutAnEnd_isNotRead(String record) {
        Endless rest = new Endless((byte) '1');
        assertThatThrownBy(() -> entries(
                                bytes(header("pax", TarConstants.LF_PAX_EXTENDED_HEADER_LC, CLAIMED)),
                                bytes(record.getBytes(StandardCharsets.UTF_8)),
                                rest)
                        .next())
                .isInstanceOf(IOException.class);
        assertThat(rest.taken).isLessThan(4 * HEADER);
    }

    @Test
    void aSparseMapWithoutAnEnd_isNotRead() {
        byte[] sparse = header("s", TarConstants.LF_GNUTYPE_SPARSE, 0);
        // "isextended": another record of the map follows; so does each of the records that do.
        sparse[482] = 1;
        System.arraycopy("ustar  \0".getBytes(StandardCharsets.US_ASCII), 0, sparse, 257, 8);
        checksum(sparse);
        byte[] more = new byte[512];
        more[504] = 1;
        Endless map = new Endless(more);
        assertThatThrownBy(() -> entries(bytes(sparse), map).next())
                .hasMessageContaining("an entry whose header is larger than 8192 bytes");
        assertThat(map.taken).isLessThan(4 * HEADER);
    }

    @Test
    void globalRecords_areNotGatheredOverTheArchive() throws IOException {
        var archive = new ByteArrayOutputStream();
        try (var tar = new TarArchiveOutputStream(archive)) {
            tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
            for (int i = 0; i < 50; i++) {
                TarArchiveEntry global = new TarArchiveEntry("g", TarConstants.LF_PAX_GLOBAL_EXTENDED_HEADER);
                global.addPaxHeader("k" + i, "v".repeat(3_000));
                tar.putArchiveEntry(global);
                TarArchiveEntry file = new TarArchiveEntry("f" + i);
                file.setSize(1);
                tar.putArchiveEntry(file);
                tar.write('x');
                tar.closeArchiveEntry();
            }
        }
        TarEntries entries = entries(bytes(archive.toByteArray()));
        Map<String, String> last = new TreeMap<>();
        for (TarArchiveEntry entry = entries.next(); entry != null; entry = entries.next()) {
            last = entry.getExtraPaxHeaders();
            assertThat(new String(entries.content(10), StandardCharsets.UTF_8)).isEqualTo("x");
        }
        assertThat(last).containsOnlyKeys("k49");
    }

    @Test
    void longNamesOfRealFiles_areRead() throws IOException {
        String name = "d/".repeat(500) + "file";
        for (int mode : new int[] {TarArchiveOutputStream.LONGFILE_GNU, TarArchiveOutputStream.LONGFILE_POSIX}) {
            var archive = new ByteArrayOutputStream();
            try (var tar = new TarArchiveOutputStream(archive)) {
                tar.setLongFileMode(mode);
                TarArchiveEntry entry = new TarArchiveEntry(name);
                entry.setSize(3);
                tar.putArchiveEntry(entry);
                tar.write("abc".getBytes(StandardCharsets.UTF_8));
                tar.closeArchiveEntry();
                tar.putArchiveEntry(new TarArchiveEntry("directory/"));
                tar.closeArchiveEntry();
            }
            TarEntries entries = entries(bytes(archive.toByteArray()));
            assertThat(entries.next()).extracting(TarArchiveEntry::getName).isEqualTo(name);
            assertThat(entries.content(2)).asString(StandardCharsets.UTF_8).isEqualTo("ab");
            assertThat(entries.next()).extracting(TarArchiveEntry::getName).isEqualTo("directory/");
            assertThat(entries.next()).isNull();
        }
    }

    private static void checksum(byte[] record) {
        Arrays.fill(record, 148, 156, (byte) ' ');
        int sum = 0;
        for (byte b : record) {
            sum += b & 0xff;
        }
        byte[] octal = "%06o\0 ".formatted(sum).getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(octal, 0, record, 148, 8);
    }
}
