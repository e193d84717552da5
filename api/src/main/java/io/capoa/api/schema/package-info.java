/** What the CRD of an API type has to say and the generator's own annotations cannot. */
@NullMarked
package io.capoa.api.schema;

import org.jspecify.annotations.NullMarked;
