/** The rules of the v1beta1 schemas, for objects that the API server has not compared with them. */
@NullMarked
package io.capoa.api.rules.schema;

import org.jspecify.annotations.NullMarked;
