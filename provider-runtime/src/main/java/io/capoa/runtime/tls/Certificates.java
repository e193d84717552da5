package io.capoa.runtime.tls;

import org.jspecify.annotations.Nullable;

/** Where the certificate of a server comes from. */
interface Certificates {

    /** The certificate to serve a new connection with; {@code null} while there is none. */
    @Nullable
    ServingCertificate certificate();
}
