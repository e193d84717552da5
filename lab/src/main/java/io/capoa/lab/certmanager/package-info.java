/** A stand-in for cert-manager: self-signed certificates in Secrets, and their authority in webhook configurations. */
@NullMarked
package io.capoa.lab.certmanager;

import org.jspecify.annotations.NullMarked;
