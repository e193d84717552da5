package io.capoa.bootstrap.boot;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.nio.charset.StandardCharsets;
import java.security.cert.Certificate;
import java.security.cert.CertificateEncodingException;
import java.util.Base64;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * The CA certificates that hosts need besides their system's to trust assisted-service. A config that has asked for them
 * is reconciled when they change.
 */
public final class ServiceAuthorities {

    /** What is known of the certificates. */
    public sealed interface Certificates {

        /**
         * The certificates.
         *
         * @param pem empty if the system's suffice
         */
        record Known(String pem) implements Certificates {}

        /**
         * Their place cannot be read.
         *
         * @param why a clause for messages, such as "Secret ns/ca does not exist"
         */
        record Unknown(String why) implements Certificates {}

        /** The system's suffice. */
        Certificates NONE = new Known("");
    }

    private static final Base64.Encoder LINES = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII));

    private final Consumer<ResourceID> trigger;
    private final Set<ResourceID> interested = ConcurrentHashMap.newKeySet();
    private volatile Certificates current = Certificates.NONE;
    private volatile Runnable lookup = () -> {};

    /** Without certificates. */
    ServiceAuthorities(Consumer<ResourceID> trigger) {
        this.trigger = trigger;
    }

    /** What is known now; while nothing is known, this starts the lookup. */
    public Certificates request(ResourceID config) {
        interested.add(config);
        Certificates now = current;
        if (now instanceof Certificates.Unknown) {
            lookup.run();
        }
        return now;
    }

    /** The config is gone. */
    public void forget(ResourceID config) {
        interested.remove(config);
    }

    /** Leaves the certificates unknown until the lookup, which must not block, has set them. */
    void lookUpWith(Runnable first, String why) {
        lookup = first;
        current = new Certificates.Unknown(why);
    }

    /** Replaces the certificates. */
    void known(Collection<? extends Certificate> certificates) throws CertificateEncodingException {
        StringBuilder pem = new StringBuilder();
        for (Certificate certificate : certificates) {
            pem.append("-----BEGIN CERTIFICATE-----\n")
                    .append(LINES.encodeToString(certificate.getEncoded()))
                    .append("\n-----END CERTIFICATE-----\n");
        }
        set(new Certificates.Known(pem.toString()));
    }

    /** The place of the certificates cannot be read; what has been written with them stays. */
    void unknown(String why) {
        set(new Certificates.Unknown(why));
    }

    private void set(Certificates next) {
        boolean changed = !next.equals(current);
        current = next;
        if (changed) {
            interested.forEach(trigger);
        }
    }
}
