/** What the API server is told about control planes and their templates before it stores them. */
@NullMarked
package io.capoa.controlplane.admission;

import org.jspecify.annotations.NullMarked;
