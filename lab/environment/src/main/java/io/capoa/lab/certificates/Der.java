package io.capoa.lab.certificates;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Encodes the ASN.1 DER values of a certificate. */
final class Der {

    private static final int INTEGER = 0x02;
    private static final int BIT_STRING = 0x03;
    private static final int OCTET_STRING = 0x04;
    private static final int OID = 0x06;
    private static final int UTF8_STRING = 0x0c;
    private static final int UTC_TIME = 0x17;
    private static final int SEQUENCE = 0x30;
    private static final int SET = 0x31;

    private Der() {}

    static byte[] sequence(byte[]... parts) {
        return tagged(SEQUENCE, join(parts));
    }

    static byte[] set(byte[]... parts) {
        return tagged(SET, join(parts));
    }

    static byte[] integer(byte[] twosComplement) {
        return tagged(INTEGER, twosComplement);
    }

    static byte[] octets(byte[] content) {
        return tagged(OCTET_STRING, content);
    }

    static byte[] bits(int unused, byte[] content) {
        return tagged(BIT_STRING, join(new byte[] {(byte) unused}, content));
    }

    static byte[] yes() {
        return new byte[] {0x01, 0x01, (byte) 0xff};
    }

    /** NULL. */
    static byte[] none() {
        return new byte[] {0x05, 0x00};
    }

    static byte[] text(String value) {
        return tagged(UTF8_STRING, value.getBytes(StandardCharsets.UTF_8));
    }

    /** {@code value} is {@code yyMMddHHmmssZ}. */
    static byte[] utcTime(String value) {
        return tagged(UTC_TIME, value.getBytes(StandardCharsets.US_ASCII));
    }

    static byte[] oid(int... arcs) {
        var out = new ByteArrayOutputStream();
        out.write(arcs[0] * 40 + arcs[1]);
        for (int i = 2; i < arcs.length; i++) {
            int shift = 28;
            while (shift > 0 && arcs[i] >>> shift == 0) {
                shift -= 7;
            }
            for (; shift > 0; shift -= 7) {
                out.write((arcs[i] >>> shift & 0x7f) | 0x80);
            }
            out.write(arcs[i] & 0x7f);
        }
        return tagged(OID, out.toByteArray());
    }

    /** A value with any tag byte, including context-specific ones. */
    static byte[] tagged(int tag, byte[] content) {
        var out = new ByteArrayOutputStream();
        out.write(tag);
        if (content.length < 0x80) {
            out.write(content.length);
        } else if (content.length <= 0xff) {
            out.write(0x81);
            out.write(content.length);
        } else {
            out.write(0x82);
            out.write(content.length >>> 8);
            out.write(content.length & 0xff);
        }
        out.writeBytes(content);
        return out.toByteArray();
    }

    private static byte[] join(byte[]... parts) {
        var out = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            out.writeBytes(part);
        }
        return out.toByteArray();
    }
}
