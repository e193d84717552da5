package io.capoa.runtime.lookup;

import java.time.Duration;
import java.time.Instant;

/**
 * A kept answer of a {@link LookupSource}.
 *
 * @param at when the attempt began: the answer may miss what happened later
 * @param took how long the attempt took
 */
public record Answer<V>(V value, Instant at, Duration took) {}
