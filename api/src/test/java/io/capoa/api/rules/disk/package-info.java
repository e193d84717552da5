/** Rules beyond schemas. */
@NullMarked
package io.capoa.api.rules.disk;

import org.jspecify.annotations.NullMarked;
