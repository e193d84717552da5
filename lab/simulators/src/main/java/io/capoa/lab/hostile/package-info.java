/** Servers and responses made to exhaust their clients: endless, compressed, trickling. */
@NullMarked
package io.capoa.lab.hostile;

import org.jspecify.annotations.NullMarked;
