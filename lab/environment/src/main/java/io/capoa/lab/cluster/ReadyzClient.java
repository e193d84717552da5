package io.capoa.lab.cluster;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Calls {@code /readyz} of an API server. */
final class ReadyzClient implements AutoCloseable {

    private static final Duration ONE_QUESTION = Duration.ofSeconds(2);

    private final HttpClient client;
    private final HttpRequest question;

    ReadyzClient(String server, String authority, String token) {
        this.client = HttpClient.newBuilder().sslContext(trusting(authority)).build();
        this.question = HttpRequest.newBuilder(URI.create(server + "/readyz"))
                .header("Authorization", "Bearer " + token)
                .timeout(ONE_QUESTION)
                .build();
    }

    boolean isReady() {
        try {
            return client.send(question, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static SSLContext trusting(String authority) {
        try {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            int number = 0;
            for (Certificate certificate : CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(authority.getBytes(StandardCharsets.US_ASCII)))) {
                store.setCertificateEntry("authority-" + number++, certificate);
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("The API server's certificate cannot be read", e);
        }
    }

    @Override
    public void close() {
        client.close();
    }
}
