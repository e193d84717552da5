package io.capoa.runtime.tls;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads private keys in PEM: PKCS#8, and the older PKCS#1 (RSA) and SEC 1 (EC). Without a key store, whose protection of a
 * key by a password costs 50 ms of CPU time here.
 */
final class PrivateKeys {

    /** Files of EC keys may begin with a block of parameters. */
    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN ((?:RSA |EC )?)PRIVATE KEY-----([^-]*)-----END \\1PRIVATE KEY-----");

    private static final int INTEGER = 0x02;
    private static final int OCTET_STRING = 0x04;
    private static final int SEQUENCE = 0x30;
    private static final int LONG_FORM = 0x80;
    private static final int BYTE = 0xff;

    private PrivateKeys() {}

    /**
     * Reads the key that belongs to a public key.
     *
     * @param pem with a password it cannot be read
     * @param owner tells algorithm and curve, which PKCS#1 and SEC 1 may leave out
     * @throws GeneralSecurityException if it is no such key; the message does not quote it
     */
    static PrivateKey read(byte[] pem, PublicKey owner) throws GeneralSecurityException {
        Matcher block = BLOCK.matcher(new String(pem, StandardCharsets.ISO_8859_1));
        if (!block.find()) {
            throw new InvalidKeySpecException("no private key in PEM");
        }
        try {
            byte[] content = Base64.getMimeDecoder().decode(block.group(2));
            byte[] pkcs8 = block.group(1).isEmpty() ? content : pkcs8(content, algorithm(owner.getEncoded()));
            return KeyFactory.getInstance(owner.getAlgorithm()).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
        } catch (IllegalArgumentException | IndexOutOfBoundsException | InvalidKeySpecException unreadable) {
            // The cause may quote the key.
            throw new InvalidKeySpecException("no " + owner.getAlgorithm() + " key in PEM, or one with a password");
        }
    }

    /** RFC 5208: version 0, the algorithm, and the key in the algorithm's own format. */
    private static byte[] pkcs8(byte[] key, byte[] algorithm) {
        byte[] version = {INTEGER, 1, 0};
        byte[] octets = tagged(OCTET_STRING, key);
        return tagged(SEQUENCE, version, algorithm, octets);
    }

    /** The AlgorithmIdentifier, with which a SubjectPublicKeyInfo (RFC 5280) begins. */
    private static byte[] algorithm(byte[] publicKey) {
        int begin = header(publicKey, 0);
        int lengthBegin = begin + 1;
        int content = header(publicKey, begin);
        int length = publicKey[lengthBegin] & BYTE;
        if (length >= LONG_FORM) {
            throw new IllegalArgumentException("an algorithm of " + length + " bytes");
        }
        return Arrays.copyOfRange(publicKey, begin, content + length);
    }

    /** Where the content begins of the value at an index: behind its tag and its length. */
    private static int header(byte[] der, int index) {
        int length = der[index + 1] & BYTE;
        return index + 2 + (length < LONG_FORM ? 0 : length - LONG_FORM);
    }

    private static byte[] tagged(int tag, byte[]... parts) {
        var content = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            content.writeBytes(part);
        }
        int length = content.size();
        var value = new ByteArrayOutputStream();
        value.write(tag);
        if (length < LONG_FORM) {
            value.write(length);
        } else {
            value.write(LONG_FORM + 2);
            value.write(length >>> Byte.SIZE);
            value.write(length & BYTE);
        }
        value.writeBytes(content.toByteArray());
        return value.toByteArray();
    }
}
