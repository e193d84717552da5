/** What a failed integration test leaves behind. */
@NullMarked
package io.capoa.lab.failure;

import org.jspecify.annotations.NullMarked;
