/** The manager process: flags, client, leader election, probes, metrics, logs, start and stop. */
@NullMarked
package io.capoa.runtime.manager;

import org.jspecify.annotations.NullMarked;
