/** What the process is made of. */
@NullMarked
package io.capoa.bootstrap;

import org.jspecify.annotations.NullMarked;
