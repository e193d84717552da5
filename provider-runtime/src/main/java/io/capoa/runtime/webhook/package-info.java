/** The webhooks that an API server calls: their HTTPS server, its certificate, and what admission asks and is answered. */
@NullMarked
package io.capoa.runtime.webhook;

import org.jspecify.annotations.NullMarked;
