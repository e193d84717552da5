/** What people are told by Kubernetes Events. */
@NullMarked
package io.capoa.runtime.events;

import org.jspecify.annotations.NullMarked;
