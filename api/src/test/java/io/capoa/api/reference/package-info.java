/** The references that are generated: {@code docs/api.md} from the CRDs, {@code docs/conditions.md} from texts about the constants. */
@NullMarked
package io.capoa.api.reference;

import org.jspecify.annotations.NullMarked;
