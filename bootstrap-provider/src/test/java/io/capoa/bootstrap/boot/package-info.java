/** What the boot package promises. */
@NullMarked
package io.capoa.bootstrap.boot;

import org.jspecify.annotations.NullMarked;
