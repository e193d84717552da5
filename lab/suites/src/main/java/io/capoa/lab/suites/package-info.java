/** Which suite runs in which tier, and how the suites of a build ended. */
@NullMarked
package io.capoa.lab.suites;

import org.jspecify.annotations.NullMarked;
