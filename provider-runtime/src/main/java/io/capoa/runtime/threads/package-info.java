/** Threads of a manager that a thread dump can find. */
@NullMarked
package io.capoa.runtime.threads;

import org.jspecify.annotations.NullMarked;
