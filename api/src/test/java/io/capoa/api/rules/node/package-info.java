/** Validation of node settings. */
@NullMarked
package io.capoa.api.rules.node;

import org.jspecify.annotations.NullMarked;
