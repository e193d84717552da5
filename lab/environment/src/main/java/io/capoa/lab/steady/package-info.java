/** Tests that do not depend on timing: a clock that they set, and settings under which a suite fails that does. */
@NullMarked
package io.capoa.lab.steady;

import org.jspecify.annotations.NullMarked;
