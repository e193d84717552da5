/** What the infrastructure provider of a Machine decides about its host; chosen by the kind of the infrastructure machine. */
@NullMarked
package io.capoa.bootstrap.infrastructure;

import org.jspecify.annotations.NullMarked;
