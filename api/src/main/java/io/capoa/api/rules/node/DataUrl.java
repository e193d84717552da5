package io.capoa.api.rules.node;

import java.util.Base64;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds what keeps the data of a {@code data:} URL from being read. Ignition is stricter than RFC 2397: it takes neither
 * escapes in base64 nor media types of other kinds (github.com/vincent-petithory/dataurl, {@code lex.go}).
 */
final class DataUrl {

    private static final String TOKEN = "[!#$%&'*+.0-9A-Z^_`a-z{|}~-]";
    private static final String TYPE =
            "(?:[xX]-|text|image|audio|video|application|message|multipart)" + TOKEN + "*/" + TOKEN + "*";
    private static final Pattern HEADER =
            Pattern.compile("data:(?:" + TYPE + ")?(?:;" + TOKEN + "++=" + TOKEN + "++)*+(?:;base64)?");
    private static final Pattern BROKEN_ESCAPE = Pattern.compile("%(?![0-9A-Fa-f]{2})");
    private static final Pattern UNESCAPED = Pattern.compile("[^!-~]|[<>#\"{}|\\\\^\\[\\]`]");
    private static final Pattern BASE64 = Pattern.compile("[A-Za-z0-9+/=]*");
    private static final String AS_BASE64 = "write data:;base64, and the output of base64 --wrap=0";

    private DataUrl() {}

    /** The mistake with its remedy, without the data: they can be secret. */
    static Optional<String> problem(String url) {
        String header = url.substring(0, url.indexOf(','));
        if (header.contains("\"")) {
            // A parameter in quotes may have a comma; nobody needs one.
            return Optional.empty();
        }
        if (!HEADER.matcher(header).matches()) {
            return Optional.of("has something else than a media type and ;base64 before its comma: write data:,TEXT or"
                    + " data:text/plain,TEXT, or " + AS_BASE64);
        }
        String data = url.substring(header.length() + 1);
        return header.endsWith(";base64") ? base64(data) : text(data);
    }

    private static Optional<String> text(String data) {
        if (BROKEN_ESCAPE.matcher(data).find()) {
            return Optional.of("has a % that begins no escape of two hexadecimal digits: write %25 for it");
        }
        Matcher unescaped = UNESCAPED.matcher(data);
        return unescaped.find()
                ? Optional.of("has %s that is not escaped: %s%s"
                        .formatted(name(unescaped.group()), escape(unescaped.group()), AS_BASE64))
                : Optional.empty();
    }

    private static String name(String character) {
        return switch (character) {
            case " " -> "a blank";
            case "\n", "\r" -> "a line break";
            default -> character.charAt(0) > '~' ? "a character" : "the character " + character;
        };
    }

    private static String escape(String character) {
        return character.charAt(0) > '~' ? "" : "write %%%02X for it, or ".formatted((int) character.charAt(0));
    }

    private static Optional<String> base64(String data) {
        if (!BASE64.matcher(data).matches()) {
            return Optional.of("has data that are not base64: " + AS_BASE64);
        }
        try {
            var unused = Base64.getDecoder().decode(data);
            return data.length() % 4 == 0
                    ? Optional.empty()
                    : Optional.of("has base64 that lacks its = at the end: " + AS_BASE64);
        } catch (IllegalArgumentException e) {
            return Optional.of("has data that are not base64: " + AS_BASE64);
        }
    }
}
