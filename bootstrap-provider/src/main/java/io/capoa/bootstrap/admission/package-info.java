/** Admission of configs and their templates. */
@NullMarked
package io.capoa.bootstrap.admission;

import org.jspecify.annotations.NullMarked;
