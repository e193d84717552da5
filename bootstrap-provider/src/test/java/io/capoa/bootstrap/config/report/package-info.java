/** What a config's plan and report say for one observation. */
@NullMarked
package io.capoa.bootstrap.config.report;

import org.jspecify.annotations.NullMarked;
