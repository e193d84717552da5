/** What a reconcile reads: watched kinds, their mappers and cache pruning, and the immutable observation. */
@NullMarked
package io.capoa.controlplane.observe;

import org.jspecify.annotations.NullMarked;
