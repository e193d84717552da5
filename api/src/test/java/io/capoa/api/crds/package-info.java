/** Our CRDs: generated from the API types and kept in step with the files in {@code crds/}. */
@NullMarked
package io.capoa.api.crds;

import org.jspecify.annotations.NullMarked;
