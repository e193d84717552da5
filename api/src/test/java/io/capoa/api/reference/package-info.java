/** The API reference, {@code docs/api.md}, which is generated from the CRDs. */
@NullMarked
package io.capoa.api.reference;

import org.jspecify.annotations.NullMarked;
