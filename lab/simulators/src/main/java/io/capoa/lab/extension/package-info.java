/** Cluster API's Runtime SDK from the caller's side: discovery of runtime extensions, and calls of their hooks. */
@NullMarked
package io.capoa.lab.extension;

import org.jspecify.annotations.NullMarked;
