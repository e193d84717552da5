package io.capoa.runtime.tls;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import okhttp3.tls.HeldCertificate;
import org.jspecify.annotations.Nullable;

/** A certificate that nobody but the process has made, for clients that do not verify it; renewed long before it expires. */
final class SelfSigned implements Certificates {

    private static final long DAYS = 365;
    private static final Duration RENEWAL = Duration.ofDays(DAYS / 2);

    private final String name;
    private final Clock clock;
    private @Nullable ServingCertificate current;
    private Instant renewal = Instant.MIN;

    SelfSigned(String name, Clock clock) {
        this.name = name;
        this.clock = clock;
    }

    /** Made for the first connection: most processes have none. */
    @Override
    public synchronized ServingCertificate certificate() {
        ServingCertificate certificate = current;
        Instant now = clock.instant();
        if (certificate == null || now.isAfter(renewal)) {
            HeldCertificate held = new HeldCertificate.Builder()
                    .commonName(name)
                    .addSubjectAlternativeName(name)
                    .validityInterval(
                            now.minus(Duration.ofHours(1)).toEpochMilli(),
                            now.toEpochMilli() + TimeUnit.DAYS.toMillis(DAYS))
                    .build();
            certificate = new ServingCertificate(
                    List.of(held.certificate()), held.keyPair().getPrivate());
            current = certificate;
            renewal = now.plus(RENEWAL);
        }
        return certificate;
    }
}
