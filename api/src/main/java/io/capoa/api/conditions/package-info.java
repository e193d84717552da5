/** Conditions as Cluster API's v1beta2 contract asks for them. */
@NullMarked
package io.capoa.api.conditions;

import org.jspecify.annotations.NullMarked;
