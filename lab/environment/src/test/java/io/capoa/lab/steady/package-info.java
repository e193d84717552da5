/** Tests of the test settings. */
@NullMarked
package io.capoa.lab.steady;

import org.jspecify.annotations.NullMarked;
