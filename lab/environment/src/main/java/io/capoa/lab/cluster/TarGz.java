package io.capoa.lab.cluster;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;

/** Extracts one file from a gzipped tar archive by its POSIX.1-1988 headers; extended headers are skipped. */
final class TarGz {

    private static final int BLOCK = 512;
    private static final int NAME_LENGTH = 100;
    private static final int SIZE_OFFSET = 124;
    private static final int SIZE_LENGTH = 12;
    private static final int TYPE_OFFSET = 156;

    private TarGz() {}

    /** Writes the entry with that file name, in any folder of the archive, to the target. */
    static void extract(Path archive, String fileName, Path target) throws IOException {
        try (InputStream in = new BufferedInputStream(new GZIPInputStream(Files.newInputStream(archive)), 1 << 16)) {
            byte[] header = in.readNBytes(BLOCK);
            while (header.length == BLOCK && header[0] != 0) {
                String name = text(header, 0, NAME_LENGTH);
                long size = Long.parseLong(text(header, SIZE_OFFSET, SIZE_LENGTH), 8);
                boolean regular = header[TYPE_OFFSET] == '0' || header[TYPE_OFFSET] == 0;
                if (regular && (name.equals(fileName) || name.endsWith("/" + fileName))) {
                    copy(in, size, target);
                    return;
                }
                in.skipNBytes((size + BLOCK - 1) / BLOCK * BLOCK);
                header = in.readNBytes(BLOCK);
            }
        }
        throw new ClusterException("The archive contains no %s.".formatted(fileName));
    }

    private static void copy(InputStream in, long size, Path target) throws IOException {
        try (OutputStream out = Files.newOutputStream(target)) {
            long left = size;
            while (left > 0) {
                byte[] chunk = in.readNBytes((int) Math.min(left, 1 << 20));
                if (chunk.length == 0) {
                    throw new ClusterException("The archive is truncated.");
                }
                out.write(chunk);
                left -= chunk.length;
            }
        }
    }

    private static String text(byte[] block, int offset, int length) {
        String field = new String(block, offset, length, StandardCharsets.US_ASCII);
        int end = field.indexOf('\0');
        return (end < 0 ? field : field.substring(0, end)).strip();
    }
}
