/** A small controller kit for the simulated peers: informers, work queue, writes, delays. */
@NullMarked
package io.capoa.lab.controller;

import org.jspecify.annotations.NullMarked;
