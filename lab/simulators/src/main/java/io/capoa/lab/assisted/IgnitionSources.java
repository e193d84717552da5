package io.capoa.lab.assisted;

import java.io.IOException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Validates {@code data:} URLs as Ignition does, in the service and on the host, with its parser's messages. */
final class IgnitionSources {

    private static final String TOKEN = "[!#$%&'*+.0-9A-Z^_`a-z{|}~-]";
    private static final String TYPE =
            "(?:[xX]-" + TOKEN + "*|(?:text|image|audio|video|application|message|multipart)" + TOKEN + "*)/" + TOKEN;
    private static final Pattern HEADER = Pattern.compile(
            "data:(?:" + TYPE + "*)?(?:;" + TOKEN + "+=" + TOKEN + "+|;" + TOKEN + "+=\"[^\"\\\\]*\")*+(?:;base64)?,");
    private static final Pattern DATA = Pattern.compile("[!-~&&[^<>#\"{}|\\\\^\\[\\]`]]*");
    private static final Pattern BASE64 = Pattern.compile("[A-Za-z0-9+/=]*");
    private static final Pattern BROKEN_ESCAPE = Pattern.compile("%(?![0-9A-Fa-f]{2})");

    private IgnitionSources() {}

    /** Throws {@link IOException} with path and message for the first URL that cannot be read. */
    static void check(String path, @Nullable Object value) throws IOException {
        if (value instanceof List<?> list) {
            for (int i = 0; i < list.size(); i++) {
                check(path + "." + i, list.get(i));
            }
        } else if (value instanceof Map<?, ?> map) {
            for (Map.Entry<?, ?> field : map.entrySet()) {
                if ("source".equals(field.getKey())
                        && field.getValue() instanceof String url
                        && url.startsWith("data:")) {
                    source(path, url);
                }
                check(path + "." + field.getKey(), field.getValue());
            }
        }
    }

    private static void source(String path, String url) throws IOException {
        String problem = problem(url);
        if (!problem.isEmpty()) {
            throw new IOException("error at %s.source: %s".formatted(path, problem));
        }
    }

    private static String problem(String url) {
        var header = HEADER.matcher(url);
        if (!header.lookingAt()) {
            return url.contains(",") ? "invalid character for media type" : "missing comma before data";
        }
        String data = url.substring(header.end());
        boolean base64 = header.group().endsWith(";base64,");
        if (!(base64 ? BASE64 : DATA).matcher(data).matches()) {
            return "invalid data character";
        }
        if (!base64) {
            return BROKEN_ESCAPE.matcher(data).find() ? "rfc2396: invalid char 0x25 in unescape sequence" : "";
        }
        try {
            var unused = Base64.getDecoder().decode(data);
            return data.length() % 4 == 0 ? "" : "illegal base64 data at input byte " + data.length();
        } catch (IllegalArgumentException e) {
            return "illegal base64 data";
        }
    }
}
