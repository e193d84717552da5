/** What the agent package promises. */
@NullMarked
package io.capoa.bootstrap.agent;

import org.jspecify.annotations.NullMarked;
