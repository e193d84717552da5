/** What is decided from an observation, without effects. */
@NullMarked
package io.capoa.bootstrap.config.plan;

import org.jspecify.annotations.NullMarked;
