/** Rules beyond schemas. */
@NullMarked
package io.capoa.api.rules;

import org.jspecify.annotations.NullMarked;
