/** The whole lab at once: both providers as processes, all neighbours, a real API server. */
@NullMarked
package io.capoa.lab.whole;

import org.jspecify.annotations.NullMarked;
