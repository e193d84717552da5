/** What the package's classes are held to. */
@NullMarked
package io.capoa.lab.metal3;

import org.jspecify.annotations.NullMarked;
