/** What the infraenv package promises. */
@NullMarked
package io.capoa.bootstrap.infraenv;

import org.jspecify.annotations.NullMarked;
