/** What a config's plan and report say for one observation. */
@NullMarked
package io.capoa.bootstrap.config.plan;

import org.jspecify.annotations.NullMarked;
