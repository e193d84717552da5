/** The connection to the management cluster: client, request metrics and deserialization. */
@NullMarked
package io.capoa.runtime.connection;

import org.jspecify.annotations.NullMarked;
