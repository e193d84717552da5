/** Tests of the controller kit. */
@NullMarked
package io.capoa.lab.actors;

import org.jspecify.annotations.NullMarked;
