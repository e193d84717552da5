package io.capoa.runtime.connection;

import java.io.IOException;
import java.util.function.BooleanSupplier;
import okhttp3.Interceptor;
import okhttp3.Request;
import okhttp3.Response;

/**
 * Refuses every write of a replica that does not lead, or no longer knows whether it does: another one may write already. As
 * a network interceptor it asks when the connection is there and nothing but the sending is left, for each attempt.
 */
final class WriteFence implements Interceptor {

    private final BooleanSupplier mayWrite;

    WriteFence(BooleanSupplier mayWrite) {
        this.mayWrite = mayWrite;
    }

    @Override
    public Response intercept(Chain chain) throws IOException {
        Request request = chain.request();
        if (isWrite(request) && !mayWrite.getAsBoolean()) {
            throw new IOException(request.method() + " " + request.url().encodedPath()
                    + " was not sent: this replica does not hold the Lease for certain");
        }
        return chain.proceed(request);
    }

    /** Reviews store nothing: a standby, too, asks for its rights and who reads its metrics. */
    private static boolean isWrite(Request request) {
        String path = request.url().encodedPath();
        return !request.method().equals("GET")
                && !path.contains("/apis/authorization.k8s.io/")
                && !path.contains("/apis/authentication.k8s.io/");
    }
}
