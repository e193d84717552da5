package io.capoa.api.untrusted;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.ObjectMapper;

/** Parses and quotes untrusted JSON. A tree of many small values takes more than ten times the memory of its text. */
public final class UntrustedContent {

    /** Maximum length of a quoted name or address. */
    private static final int QUOTED = 200;

    private static final int DEPTH = 64;
    private static final int TOKENS = 50_000;
    private static final int STRING = 1 << 20;
    private static final int NAME = 4 << 10;

    private UntrustedContent() {}

    /** For parsers of every format: depth, length and number of values; about 5 MiB as a tree. */
    public static StreamReadConstraints constraints() {
        return StreamReadConstraints.builder()
                .maxNestingDepth(DEPTH)
                .maxTokenCount(TOKENS)
                .maxStringLength(STRING)
                .maxNameLength(NAME)
                .build();
    }

    /** Reads JSON within the {@link #constraints}; it keeps no names for the next document. */
    public static ObjectMapper json() {
        return new ObjectMapper(JsonFactory.builder()
                .streamReadConstraints(constraints())
                .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
                .build());
    }

    /** A text for a message: without control characters and lone surrogates, and cut where it is long. */
    public static String quoted(String text) {
        return quoted(text, QUOTED);
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
