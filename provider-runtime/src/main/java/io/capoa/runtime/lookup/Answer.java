package io.capoa.runtime.lookup;

import java.time.Instant;

/**
 * A kept answer of a {@link LookupSource}.
 *
 * @param at when the attempt began: the answer may miss what happened later
 */
public record Answer<V>(V value, Instant at) {}
