package io.capoa.lab.hostile;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.GZIPOutputStream;

/** Compression bombs: gzip files of many members with a mebibyte of equal bytes each. */
public final class Bombs {

    private static final int MIB = 1 << 20;
    private static final int RECORD = 512;
    private static final long CLAIMED = 900_000_000;

    private Bombs() {}

    /** A text followed by mebibytes of a pattern, compressed. */
    public static byte[] gzip(byte[] beginning, byte[] pattern, int mebibytes) {
        byte[] block = new byte[MIB];
        for (int i = 0; i < MIB; i++) {
            block[i] = pattern[i % pattern.length];
        }
        byte[] member = member(block);
        var all = new ByteArrayOutputStream();
        all.writeBytes(member(beginning));
        for (int i = 0; i < mebibytes; i++) {
            all.writeBytes(member);
        }
        return all.toByteArray();
    }

    /** A layer whose first entry has a GNU long name of 900 MB. */
    public static byte[] longName() {
        return gzip(header('L', CLAIMED), new byte[] {'n'}, 860);
    }

    /** A layer whose first entry has a PAX record with a value of 900 MB. */
    public static byte[] paxValue() {
        return gzip(with(header('x', CLAIMED), "890000000 path="), new byte[] {'v'}, 860);
    }

    /** A layer whose first entry has a PAX record with a keyword of 900 MB. */
    public static byte[] paxKeyword() {
        return gzip(with(header('x', CLAIMED), "890000000 k"), new byte[] {'k'}, 860);
    }

    /** A layer whose first entry has a GNU sparse map of 900 MB. */
    public static byte[] sparseMap() {
        byte[] first = header('S', 0);
        first[482] = 1;
        byte[] more = new byte[RECORD];
        more[504] = 1;
        return gzip(sealed(first), more, 860);
    }

    /** A layer with a file of 8 GiB in 8 MiB. */
    public static byte[] largeFile() {
        return gzip(header('0', 7L << 30), new byte[] {0}, 7 << 10);
    }

    /** Digest of content in registries. */
    public static String digest(byte[] content) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(content);
            return "sha256:" + HexFormat.of().formatHex(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    private static byte[] member(byte[] content) {
        var bytes = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(bytes)) {
            gzip.write(content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static byte[] with(byte[] header, String text) {
        byte[] more = text.getBytes(StandardCharsets.US_ASCII);
        byte[] all = Arrays.copyOf(header, header.length + more.length);
        System.arraycopy(more, 0, all, header.length, more.length);
        return all;
    }

    private static byte[] header(char type, long size) {
        byte[] record = new byte[RECORD];
        put(record, 0, "entry");
        put(record, 100, "0000644\0" + "0000000\0" + "0000000\0");
        // Base 256 encodes sizes of any length.
        for (int i = 0; i < 8; i++) {
            record[135 - i] = (byte) (size >> (8 * i));
        }
        record[124] = (byte) 0x80;
        put(record, 136, "00000000000\0");
        record[156] = (byte) type;
        put(record, 257, type == 'x' || type == '0' ? "ustar\00000" : "ustar  \0");
        return sealed(record);
    }

    private static byte[] sealed(byte[] record) {
        Arrays.fill(record, 148, 156, (byte) ' ');
        int sum = 0;
        for (byte b : record) {
            sum += b & 0xff;
        }
        put(record, 148, "%06o\0 ".formatted(sum));
        return record;
    }

    private static void put(byte[] record, int offset, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(bytes, 0, record, offset, bytes.length);
    }
}
