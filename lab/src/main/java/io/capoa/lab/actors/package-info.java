/** A small controller kit for the simulated neighbours: informers, work queue, writes, delays. */
@NullMarked
package io.capoa.lab.actors;

import org.jspecify.annotations.NullMarked;
