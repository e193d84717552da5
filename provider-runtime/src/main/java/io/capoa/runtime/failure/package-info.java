/** What an exception means for the object that was being reconciled. */
@NullMarked
package io.capoa.runtime.failure;

import org.jspecify.annotations.NullMarked;
