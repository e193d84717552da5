package io.capoa.runtime.webhook;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.util.JsonParserDelegate;
import io.capoa.api.untrusted.UntrustedContent;
import io.capoa.runtime.webhook.WebhookHandler.MalformedRequest;
import java.io.IOException;

/**
 * Reads the body of a review, of anybody who can connect, within limits. They leave room for every object that an API
 * server stores: 1.5 MiB, in far fewer values than these.
 */
final class ReviewParser extends JsonParserDelegate {

    private static final int LONGEST_STRING = 3 << 20;

    /** A name may be a value too: managedFields have entries of lists that are sets as {@code v:"…"}. */
    private static final int LONGEST_NAME = 1 << 20;

    private final int most;
    private int left;

    /** What is made of a body. */
    @FunctionalInterface
    interface BodyReader<T> {
        T of(ReviewParser json) throws IOException, MalformedRequest;
    }

    private ReviewParser(JsonParser parser, int most) {
        super(parser);
        this.most = most;
        this.left = most;
    }

    /**
     * Reads a body.
     *
     * @param most number of names and values, see {@link #anew}; as a tree each takes up to 70 bytes
     */
    static <T> T read(byte[] body, int most, BodyReader<T> reading) throws MalformedRequest {
        try (ReviewParser json = new ReviewParser(factory().createParser(body), most)) {
            return reading.of(json);
        } catch (StreamConstraintsException e) {
            throw MalformedRequest.tooLarge("the body has more or longer values than any object of an API server: "
                    + UntrustedContent.quoted(String.valueOf(e.getOriginalMessage())));
        } catch (IOException e) {
            throw new MalformedRequest("the body is not JSON");
        }
    }

    /** A new one for each body: it keeps names for the next, those of an attacker too. */
    private static JsonFactory factory() {
        return JsonFactory.builder()
                .streamReadConstraints(UntrustedContent.constraints()
                        .rebuild()
                        .maxTokenCount(Long.MAX_VALUE)
                        .maxStringLength(LONGEST_STRING)
                        .maxNameLength(LONGEST_NAME)
                        .build())
                .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                .build();
    }

    /** Allows as many names and values again: what was read before has been released. */
    void anew() {
        left = most;
    }

    /** The present value if it is a text, or empty. */
    String text() throws IOException {
        String text = getValueAsString("");
        skipChildren();
        return text;
    }

    @Override
    public JsonToken nextToken() throws IOException {
        left--;
        if (left < 0) {
            throw new StreamConstraintsException("more than " + most + " names and values");
        }
        return super.nextToken();
    }
}
