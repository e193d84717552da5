/** A config's status and Events. */
@NullMarked
package io.capoa.bootstrap.config.report;

import org.jspecify.annotations.NullMarked;
