package io.capoa.lab.host;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import javax.net.ssl.SSLException;

/** Requests of a host: one that breaks off is made again, as the agent, Ignition and management controllers do. */
final class Attempts {

    private static final int MOST = 5;
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private Attempts() {}

    /**
     * The response, whatever its status.
     *
     * @throws SSLException at the first attempt: the certificate stays the same
     * @throws IOException of the last attempt
     */
    static HttpResponse<byte[]> send(HttpClient http, HttpRequest request) throws IOException, InterruptedException {
        for (int attempt = 1; ; attempt++) {
            try {
                return http.send(request, HttpResponse.BodyHandlers.ofByteArray());
            } catch (SSLException e) {
                throw e;
            } catch (IOException e) {
                if (attempt == MOST) {
                    throw e;
                }
            }
            Thread.sleep(PAUSE);
        }
    }
}
