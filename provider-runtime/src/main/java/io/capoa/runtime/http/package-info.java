/** The small HTTP/1.1 server of the probes, the metrics and the webhooks: what it spends on any client is bounded. */
@NullMarked
package io.capoa.runtime.http;

import org.jspecify.annotations.NullMarked;
