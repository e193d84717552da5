package io.capoa.runtime.lookup;

/** When an unsettled query is asked again. */
public enum Repetition {
    /** After the pause, until the key is forgotten. */
    ALWAYS,
    /** After the pause, once for each time it has been requested since. */
    ON_REQUEST
}
