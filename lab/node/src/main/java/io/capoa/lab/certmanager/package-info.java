/**
 * A stand-in for cert-manager: self-signed certificates in Secrets, and their CA in webhook configurations and CRDs.
 */
@NullMarked
package io.capoa.lab.certmanager;

import org.jspecify.annotations.NullMarked;
