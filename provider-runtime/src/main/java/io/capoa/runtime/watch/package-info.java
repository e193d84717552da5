/** What a reconciler reads: its watched kinds, and objects it waits for by name. */
@NullMarked
package io.capoa.runtime.watch;

import org.jspecify.annotations.NullMarked;
