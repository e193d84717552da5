/** What every simulated neighbour is made of: caches, a queue, narrow writes, delays. */
@NullMarked
package io.capoa.lab.actors;

import org.jspecify.annotations.NullMarked;
