/** What users write for a node and its ignition: read and checked the same way when it is stored and when it is used. */
@NullMarked
package io.capoa.runtime.node;

import org.jspecify.annotations.NullMarked;
