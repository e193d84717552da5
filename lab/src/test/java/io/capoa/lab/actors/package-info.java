/** What the package's classes are held to. */
@NullMarked
package io.capoa.lab.actors;

import org.jspecify.annotations.NullMarked;
