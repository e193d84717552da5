/** What the package's classes are held to. */
@NullMarked
package io.capoa.lab.core;

import org.jspecify.annotations.NullMarked;
