/** Kubernetes Events about the objects that a provider reconciles. */
@NullMarked
package io.capoa.runtime.events;

import org.jspecify.annotations.NullMarked;
