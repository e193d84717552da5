/** Kubernetes Events for users. */
@NullMarked
package io.capoa.runtime.events;

import org.jspecify.annotations.NullMarked;
