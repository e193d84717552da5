/** Tests of the simulated Metal3. */
@NullMarked
package io.capoa.lab.metal3;

import org.jspecify.annotations.NullMarked;
