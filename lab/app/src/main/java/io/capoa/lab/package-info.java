/** A bare-metal lab on one machine. */
@NullMarked
package io.capoa.lab;

import org.jspecify.annotations.NullMarked;
