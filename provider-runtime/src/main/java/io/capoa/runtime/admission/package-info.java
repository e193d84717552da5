/** Rules for what both providers' kinds have in common, beyond what the CRDs say. */
@NullMarked
package io.capoa.runtime.admission;

import org.jspecify.annotations.NullMarked;
