/**
 * Reads answers of servers that a tenant chooses: registries, token services, ignition servers, installed clusters. What
 * they send is bounded in size, time and form before anything is kept of it.
 */
@NullMarked
package io.capoa.runtime.untrusted;

import org.jspecify.annotations.NullMarked;
