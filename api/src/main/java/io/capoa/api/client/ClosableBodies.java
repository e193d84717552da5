package io.capoa.api.client;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.HttpURLConnection;
import java.util.concurrent.locks.ReentrantLock;
import okhttp3.Call;
import okhttp3.Interceptor;
import okhttp3.Response;
import okhttp3.ResponseBody;
import okio.BufferedSource;
import org.jspecify.annotations.Nullable;

/**
 * Lets one thread close the body of a response that another thread reads, as fabric8 does to end a watch. okio permits no
 * two threads in one body: the same buffer is then given to two bodies, of whatever requests, and the connection stays
 * open.
 */
public final class ClosableBodies implements Interceptor {

    @Override
    public Response intercept(Chain chain) throws IOException {
        Response response = chain.proceed(chain.request());
        if (response.code() < HttpURLConnection.HTTP_OK) {
            // Switching protocols: a web socket has no body.
            return response;
        }
        ResponseBody body = response.body();
        BufferedSource guarded = (BufferedSource) Proxy.newProxyInstance(
                ClosableBodies.class.getClassLoader(),
                new Class<?>[] {BufferedSource.class},
                new Guard(body.source(), chain.call())::invoke);
        return response.newBuilder()
                .body(ResponseBody.create(guarded, body.contentType(), body.contentLength()))
                .build();
    }

    /** Admits one thread at a time; a thread that closes ends the read of another first. */
    private static final class Guard {

        private final ReentrantLock lock = new ReentrantLock();
        private final BufferedSource source;
        private final Call call;

        Guard(BufferedSource source, Call call) {
            this.source = source;
            this.call = call;
        }

        @Nullable
        Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
            if (!lock.tryLock()) {
                if (method.getName().equals("close")) {
                    call.cancel();
                }
                lock.lock();
            }
            try {
                return method.invoke(source, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause() == null ? e : e.getCause();
            } finally {
                lock.unlock();
            }
        }
    }
}
