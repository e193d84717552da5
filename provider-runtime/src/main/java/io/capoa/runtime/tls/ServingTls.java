package io.capoa.runtime.tls;

import io.capoa.runtime.http.SocketLayer;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;

/** The TLS of one server. */
public final class ServingTls {

    private final Certificates certificates;
    private final Supplier<Optional<String>> problem;

    private ServingTls(Certificates certificates, Supplier<Optional<String>> problem) {
        this.certificates = certificates;
        this.problem = problem;
    }

    /**
     * With the certificate in a folder.
     *
     * @param folder of {@code tls.crt} and {@code tls.key}, which may appear and change at any time
     * @param what is served, in the plural, such as {@code Webhooks}
     * @param remedy sentence on how the files come to be
     */
    public static ServingTls ofFolder(Path folder, String what, String remedy, Clock clock) {
        CertificateFolder certificates = new CertificateFolder(folder, what, remedy, clock);
        return new ServingTls(certificates, certificates::problem);
    }

    /** With a certificate of the process's own, which no client can verify. */
    public static ServingTls selfSigned(String name, Clock clock) {
        return new ServingTls(new SelfSigned(name, clock), Optional::empty);
    }

    /** For the listener. */
    public SocketLayer layer() {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(new KeyManager[] {new CertificateChoice(certificates)}, null, null);
            return SocketLayer.tls(context, Intermediate.parameters());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has TLS", e);
        }
    }

    /** Why connections fail, and the remedy; empty if they succeed. */
    public Optional<String> problem() {
        return problem.get();
    }
}
