package io.capoa.runtime.untrusted;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.util.Locale;
import okhttp3.Interceptor;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.ResponseBody;
import okio.Buffer;
import okio.ForwardingSource;
import okio.Okio;
import okio.Source;

/**
 * Refuses responses that are compressed or larger than their {@link AnswerLimit}. okhttp unpacks gzip without a limit,
 * which turns kilobytes into gigabytes; so this asks for and accepts uncompressed responses only.
 */
final class BoundedAnswers implements Interceptor {

    /** By which web sockets agree on compressing their messages; okhttp offers it unasked. */
    private static final String EXTENSIONS = "Sec-WebSocket-Extensions";

    private static final int SWITCHING_PROTOCOLS = 101;

    private final AnswerLimit usual;

    /** For requests that carry a limit of their own, and this one for all others. */
    BoundedAnswers(AnswerLimit usual) {
        this.usual = usual;
    }

    @Override
    public Response intercept(Chain chain) throws IOException {
        Request request = chain.request()
                .newBuilder()
                .header("Accept-Encoding", "identity")
                .removeHeader(EXTENSIONS)
                .build();
        AnswerLimit tagged = request.tag(AnswerLimit.class);
        long limit = (tagged == null ? usual : tagged).bytes();
        Response response = BufferAllowance.within(() -> chain.proceed(request));
        if (response.code() == SWITCHING_PROTOCOLS) {
            // Messages that are compressed all the same are then a breach of the protocol, which ends the web socket.
            return response.newBuilder().removeHeader(EXTENSIONS).build();
        }
        if (response.code() == HttpURLConnection.HTTP_NO_CONTENT) {
            return response;
        }
        String encoding = response.header("Content-Encoding", "identity");
        if (!"identity".equals(String.valueOf(encoding).toLowerCase(Locale.ROOT))) {
            BufferAllowance.close(response);
            throw new RefusedAnswerException("it compresses its answer, which was not asked for");
        }
        if (response.body().contentLength() > limit) {
            BufferAllowance.close(response);
            throw tooLarge(limit);
        }
        var body = Okio.buffer(new BoundedSource(response.body().source(), limit));
        return response.newBuilder()
                .body(ResponseBody.create(
                        body, response.body().contentType(), response.body().contentLength()))
                .build();
    }

    private static RefusedAnswerException tooLarge(long limit) {
        return RefusedAnswerException.tooLarge("its answer", limit);
    }

    /** Ends with an error when more comes than is allowed. */
    private static final class BoundedSource extends ForwardingSource {

        private final long limit;
        private long left;

        BoundedSource(Source source, long limit) {
            super(source);
            this.limit = limit;
            this.left = limit;
        }

        @Override
        public long read(Buffer sink, long byteCount) throws IOException {
            long read = BufferAllowance.within(() -> super.read(sink, byteCount));
            left -= Math.max(read, 0);
            if (left < 0) {
                throw tooLarge(limit);
            }
            return read;
        }

        @Override
        public void close() throws IOException {
            // okhttp reads on for a moment, so that the connection can serve again.
            BufferAllowance.within(() -> {
                super.close();
                return true;
            });
        }
    }
}
