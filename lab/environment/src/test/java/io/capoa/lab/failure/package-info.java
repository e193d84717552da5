/** Tests of what a failed test leaves behind. */
@NullMarked
package io.capoa.lab.failure;

import org.jspecify.annotations.NullMarked;
