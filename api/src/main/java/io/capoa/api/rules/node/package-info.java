/** Parsers and rules of node registration and Ignition: the same at admission and in the reconciler. */
@NullMarked
package io.capoa.api.rules.node;

import org.jspecify.annotations.NullMarked;
