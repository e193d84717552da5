package io.capoa.api.untrusted;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.ByteArrayInputStream;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes the parsers of what others have written, within limits, and quotes it. A tree of many small values takes more than
 * ten times the memory of its text, and the digits of a number the square of their count in time.
 */
public final class UntrustedContent {

    /** Maximum length of a quoted name or address. */
    private static final int QUOTED = 200;

    /** Of an object of Kubernetes. */
    private static final int LONGEST_NAME = 253;

    private static final int DEPTH = 64;
    private static final int TOKENS = 50_000;
    private static final int STRING = 1 << 20;
    private static final int NAME = 4 << 10;

    /** Digits of the longest number. */
    public static final int NUMBER = 100;

    /** Some hundred certificates. */
    private static final int CERTIFICATES = 1 << 20;

    private UntrustedContent() {}

    /** For parsers of every format: depth, length and number of values, digits; about 5 MiB as a tree. */
    public static StreamReadConstraints constraints() {
        return StreamReadConstraints.builder()
                .maxNestingDepth(DEPTH)
                .maxTokenCount(TOKENS)
                .maxStringLength(STRING)
                .maxNameLength(NAME)
                .maxNumberLength(NUMBER)
                .build();
    }

    /** Reads JSON within the {@link #constraints}; it keeps no names for the next document. */
    public static JsonMapper json() {
        return jsonBuilder().build();
    }

    /** As {@link #json}, for more settings. */
    public static JsonMapper.Builder jsonBuilder() {
        return JsonMapper.builder(JsonFactory.builder()
                .streamReadConstraints(constraints())
                .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
                .build());
    }

    /** Reads YAML within the {@link #constraints}; aliases are not followed. */
    public static ObjectMapper yaml() {
        return new ObjectMapper(new LimitedYaml(constraints()));
    }

    /**
     * Certificates in PEM, one after the other.
     *
     * @throws CertificateException if they cannot be read or are longer than 1 MiB; the message quotes nothing
     */
    public static List<X509Certificate> certificates(byte[] pem) throws CertificateException {
        if (pem.length > CERTIFICATES) {
            throw new CertificateException("the certificates are longer than 1 MiB");
        }
        List<X509Certificate> certificates = new ArrayList<>();
        for (var certificate :
                CertificateFactory.getInstance("X.509").generateCertificates(new ByteArrayInputStream(pem))) {
            certificates.add((X509Certificate) certificate);
        }
        return certificates;
    }

    /** A text for a message: without control characters and lone surrogates, and cut where it is long. */
    public static String quoted(String text) {
        return quoted(text, QUOTED);
    }

    /** A name from another cluster: whatever an API server takes for one is unchanged, other text is cut. */
    public static String name(@Nullable String text) {
        return text == null ? "" : quoted(text, LONGEST_NAME);
    }

    /** The same with another length. */
    public static String quoted(String text, int most) {
        StringBuilder plain = new StringBuilder();
        text.codePoints().limit(most).map(UntrustedContent::printable).forEach(plain::appendCodePoint);
        return text.codePointCount(0, text.length()) <= most
                ? plain.toString()
                : plain.append('…').toString();
    }

    private static int printable(int character) {
        return Character.isISOControl(character) || Character.getType(character) == Character.SURROGATE
                ? ' '
                : character;
    }
}
