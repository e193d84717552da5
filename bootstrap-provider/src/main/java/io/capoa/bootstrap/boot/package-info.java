/** What a host boots with: where its discovery ignition is and how it gets here. */
@NullMarked
package io.capoa.bootstrap.boot;

import org.jspecify.annotations.NullMarked;
