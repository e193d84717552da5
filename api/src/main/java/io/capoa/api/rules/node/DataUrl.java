package io.capoa.api.rules.node;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds what keeps the data of a {@code data:} URL from being read (RFC 2397). */
final class DataUrl {

    private static final Pattern BROKEN_ESCAPE = Pattern.compile("%(?![0-9A-Fa-f]{2})");
    private static final Pattern ESCAPE = Pattern.compile("%([0-9A-Fa-f]{2})");
    private static final String REMEDY = ": write data:;base64, and the output of base64 --wrap=0";

    private DataUrl() {}

    /** The mistake with its remedy, without the data: they can be secret. */
    static Optional<String> problem(String url) {
        int comma = url.indexOf(',');
        String data = url.substring(comma + 1);
        if (BROKEN_ESCAPE.matcher(data).find()) {
            return Optional.of("has a % that begins no escape of two hexadecimal digits: write %25 for it");
        }
        boolean base64 = url.substring(0, comma).toLowerCase(Locale.ROOT).endsWith(";base64");
        return base64 ? base64(unescaped(data).replaceAll("[\\r\\n]", "")) : Optional.empty();
    }

    private static Optional<String> base64(String data) {
        try {
            var unused = Base64.getDecoder().decode(data.getBytes(StandardCharsets.UTF_8));
            return data.length() % 4 == 0
                    ? Optional.empty()
                    : Optional.of("has base64 that lacks its = at the end" + REMEDY);
        } catch (IllegalArgumentException e) {
            return Optional.of("has data that are not base64" + REMEDY);
        }
    }

    private static String unescaped(String text) {
        return ESCAPE.matcher(text)
                .replaceAll(escape ->
                        Matcher.quoteReplacement(String.valueOf((char) Integer.parseInt(escape.group(1), 16))));
    }
}
