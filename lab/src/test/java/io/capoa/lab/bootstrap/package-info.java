/** The bootstrap provider's process on a real API server, its neighbours played by the tests. */
@NullMarked
package io.capoa.lab.bootstrap;

import org.jspecify.annotations.NullMarked;
