package io.capoa.runtime.http;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the head of a request by RFC 9112. It refuses what two parsers could read differently: a repeated length, a
 * length beside chunks, folded lines, blanks before a colon.
 */
final class RequestReader {

    private static final Pattern REQUEST_LINE = Pattern.compile("([A-Z]{1,16}) (/[\\x21-\\x7e]*|\\*) HTTP/1\\.([01])");
    private static final Pattern HEADER = Pattern.compile("([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \\t]*(.*?)[ \\t]*");
    private static final Pattern DIGITS = Pattern.compile("[0-9]{1,12}");
    private static final byte[] CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final int MALFORMED = 400;
    private static final int HEAD_TOO_LARGE = 431;
    private static final int UNKNOWN_CODING = 501;

    private final InputStream in;
    private final int most;
    private final HttpCall.Client client;

    RequestReader(InputStream in, int most, HttpCall.Client client) {
        this.in = in;
        this.most = most;
        this.client = client;
    }

    /**
     * The next request.
     *
     * @param first its first byte
     * @param body notices when its body is read
     * @param interim takes the answer that a client awaits before it sends the body
     */
    HttpCall read(int first, RequestBody.ClientWait body, OutputStream interim) throws IOException, MalformedCall {
        String[] lines = head(first).split("\r\n", -1);
        Matcher line = REQUEST_LINE.matcher(lines[0]);
        if (!line.matches()) {
            throw new MalformedCall(MALFORMED, "the request line is not one of HTTP/1.1");
        }
        Map<String, String> headers = headers(lines);
        boolean modern = line.group(3).equals("1");
        String connection = headers.getOrDefault("connection", modern ? "" : "close");
        boolean awaited = headers.getOrDefault("expect", "").equalsIgnoreCase("100-continue");
        RequestBody content = new RequestBody(in, length(headers), reading -> {
            body.awaits(reading);
            if (awaited && reading) {
                interim.write(CONTINUE);
                interim.flush();
            }
        });
        return new HttpCall(
                line.group(1),
                line.group(2).split("\\?", 2)[0],
                modern && !connection.toLowerCase(Locale.ROOT).contains("close"),
                headers,
                content,
                client);
    }

    /** Up to the empty line, without it. */
    private String head(int first) throws IOException, MalformedCall {
        StringBuilder head = new StringBuilder(512).append((char) first);
        while (!endsWithEmptyLine(head)) {
            int next = in.read();
            if (next < 0) {
                throw new EOFException("the request ended early");
            }
            head.append((char) next);
            if (head.length() > most) {
                throw new MalformedCall(HEAD_TOO_LARGE, "request line and headers may have " + most + " bytes");
            }
        }
        return head.substring(0, head.length() - 4);
    }

    private static boolean endsWithEmptyLine(StringBuilder text) {
        int end = text.length();
        return end >= 4
                && text.charAt(end - 1) == '\n'
                && text.charAt(end - 2) == '\r'
                && text.charAt(end - 3) == '\n'
                && text.charAt(end - 4) == '\r';
    }

    private static Map<String, String> headers(String[] lines) throws MalformedCall {
        Map<String, String> headers = new HashMap<>();
        for (int i = 1; i < lines.length; i++) {
            Matcher header = HEADER.matcher(lines[i]);
            if (!header.matches()) {
                throw new MalformedCall(MALFORMED, "header " + i + " is not a name, a colon and a value");
            }
            String name = header.group(1).toLowerCase(Locale.ROOT);
            if (headers.put(name, header.group(2)) != null && isOfTheBody(name)) {
                throw new MalformedCall(MALFORMED, name + " is given twice");
            }
        }
        return headers;
    }

    private static boolean isOfTheBody(String name) {
        return name.equals("content-length") || name.equals("transfer-encoding");
    }

    private static long length(Map<String, String> headers) throws MalformedCall {
        String coding = headers.get("transfer-encoding");
        String length = headers.get("content-length");
        if (coding == null && length == null) {
            return 0;
        }
        if (coding != null && length != null) {
            throw new MalformedCall(MALFORMED, "content-length and transfer-encoding exclude each other");
        }
        if (coding != null) {
            if (!coding.equalsIgnoreCase("chunked")) {
                throw new MalformedCall(UNKNOWN_CODING, "transfer-encoding can be chunked only");
            }
            return RequestBody.CHUNKED;
        }
        if (!DIGITS.matcher(length).matches()) {
            throw new MalformedCall(MALFORMED, "content-length is not a number");
        }
        return Long.parseLong(length);
    }
}
