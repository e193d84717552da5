/** Reads what assisted-service reports, alike for hosts and clusters. */
@NullMarked
package io.capoa.runtime.assisted;

import org.jspecify.annotations.NullMarked;
