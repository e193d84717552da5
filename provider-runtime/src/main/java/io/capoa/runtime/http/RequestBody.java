package io.capoa.runtime.http;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.OptionalLong;

/** The body of one request: of a known length, or in chunks. */
final class RequestBody {

    static final int CHUNKED = -1;

    private static final int LONGEST_LINE = 256;
    private static final int TOO_LARGE = 413;
    private static final int MALFORMED = 400;

    private final InputStream in;
    private final long length;
    private final ClientWait reading;
    private boolean whole;

    /** Notices when the client is waited for. */
    interface ClientWait {
        void awaits(boolean client) throws IOException;
    }

    RequestBody(InputStream in, long length, ClientWait reading) {
        this.in = in;
        this.length = length;
        this.reading = reading;
        this.whole = length == 0;
    }

    OptionalLong length() {
        return length == CHUNKED ? OptionalLong.empty() : OptionalLong.of(length);
    }

    boolean isReadWhole() {
        return whole;
    }

    byte[] read(int most) throws IOException, MalformedCall {
        if (length > most) {
            throw tooLarge(most);
        }
        if (whole) {
            return new byte[0];
        }
        reading.awaits(true);
        byte[] content = length == CHUNKED ? chunks(most) : exactly((int) length);
        reading.awaits(false);
        whole = true;
        return content;
    }

    private byte[] exactly(int count) throws IOException {
        byte[] content = in.readNBytes(count);
        if (content.length < count) {
            throw new EOFException("the body ended early");
        }
        return content;
    }

    private byte[] chunks(int most) throws IOException, MalformedCall {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        for (int size = size(); size > 0; size = size()) {
            if (size > most - content.size()) {
                throw tooLarge(most);
            }
            content.write(exactly(size));
            if (!line().isEmpty()) {
                throw new MalformedCall(MALFORMED, "a chunk is longer than announced");
            }
        }
        if (!line().isEmpty()) {
            throw new MalformedCall(MALFORMED, "trailers are not taken");
        }
        return content.toByteArray();
    }

    private int size() throws IOException, MalformedCall {
        String digits = line().split(";", 2)[0].strip();
        if (digits.isEmpty() || digits.length() > 7 || !digits.chars().allMatch(RequestBody::isHex)) {
            throw new MalformedCall(MALFORMED, "the length of a chunk is not a number of at most seven digits");
        }
        return Integer.parseInt(digits, 16);
    }

    private static boolean isHex(int character) {
        return character < 128 && Character.digit(character, 16) >= 0;
    }

    private String line() throws IOException, MalformedCall {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); ; next = in.read()) {
            if (next < 0) {
                throw new EOFException("the body ended early");
            }
            if (next == '\n') {
                return line.toString();
            }
            if (next != '\r') {
                line.append((char) next);
            }
            if (line.length() > LONGEST_LINE) {
                throw new MalformedCall(MALFORMED, "a line between two chunks is too long");
            }
        }
    }

    private static MalformedCall tooLarge(int most) {
        return new MalformedCall(TOO_LARGE, "a body may have " + most + " bytes");
    }
}
