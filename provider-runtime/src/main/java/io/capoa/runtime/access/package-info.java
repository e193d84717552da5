/** Who may ask the manager what, by the word of the API server. */
@NullMarked
package io.capoa.runtime.access;

import org.jspecify.annotations.NullMarked;
