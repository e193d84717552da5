/** Checks an infrastructure provider against the parts of Cluster API's v1beta2 contract on which the providers rely. */
@NullMarked
package io.capoa.lab.conformance;

import org.jspecify.annotations.NullMarked;
