/** What may be asked of the API server: object names and the shape of requests. */
@NullMarked
package io.capoa.runtime.client;

import org.jspecify.annotations.NullMarked;
