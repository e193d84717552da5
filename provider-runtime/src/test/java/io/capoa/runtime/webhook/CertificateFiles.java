package io.capoa.runtime.webhook;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.interfaces.ECPrivateKey;
import java.time.Duration;
import java.util.Base64;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;
import okhttp3.tls.HeldCertificate;

/** A folder as the kubelet mounts a Secret: the files are links through {@code ..data}, which is swapped as a whole. */
final class CertificateFiles {

    private static final byte[] P256 = HexFormat.of().parseHex("06082a8648ce3d030107");

    private final Path folder;
    private int version;

    CertificateFiles(Path folder) {
        this.folder = folder;
    }

    Path folder() {
        return folder;
    }

    static HeldCertificate.Builder localhost() {
        return new HeldCertificate.Builder()
                .addSubjectAlternativeName("localhost")
                .commonName("webhooks");
    }

    static HeldCertificate lasting(Duration time) {
        return localhost().duration(time.toMillis(), TimeUnit.MILLISECONDS).build();
    }

    void put(HeldCertificate certificate) {
        put(certificate.certificatePem(), certificate.privateKeyPkcs8Pem());
    }

    void put(String certificate, String key) {
        try {
            version++;
            Path data = Files.createDirectories(folder.resolve("..v" + version));
            Files.writeString(data.resolve("tls.crt"), certificate);
            Files.writeString(data.resolve("tls.key"), key);
            Path link = folder.resolve("..data_tmp");
            Files.createSymbolicLink(link, data.getFileName());
            Files.move(
                    link,
                    folder.resolve("..data"),
                    java.nio.file.StandardCopyOption.ATOMIC_MOVE,
                    java.nio.file.StandardCopyOption.REPLACE_EXISTING);
            for (String file : new String[] {"tls.crt", "tls.key"}) {
                if (!Files.isSymbolicLink(folder.resolve(file))) {
                    Files.createSymbolicLink(folder.resolve(file), Path.of("..data", file));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The key in the form of SEC 1, as {@code openssl ecparam} and Go write it. */
    static String sec1(HeldCertificate certificate) {
        byte[] number =
                ((ECPrivateKey) certificate.keyPair().getPrivate()).getS().toByteArray();
        byte[] padded = new byte[32];
        int length = Math.min(number.length, 32);
        System.arraycopy(number, number.length - length, padded, 32 - length, length);
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        content.writeBytes(new byte[] {2, 1, 1, 4, 32});
        content.writeBytes(padded);
        content.writeBytes(new byte[] {(byte) 0xa0, (byte) P256.length});
        content.writeBytes(P256);
        ByteArrayOutputStream sequence = new ByteArrayOutputStream();
        sequence.writeBytes(new byte[] {0x30, (byte) content.size()});
        sequence.writeBytes(content.toByteArray());
        return "-----BEGIN EC PRIVATE KEY-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(sequence.toByteArray())
                + "\n-----END EC PRIVATE KEY-----\n";
    }
}
