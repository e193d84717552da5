package io.capoa.lab.upgrade;

/** State of a cluster operator that keeps an upgrade from going on. */
public enum OperatorFault {
    NONE,
    /** It does not reach the new version. */
    STUCK,
    /** It reports Degraded. */
    DEGRADED,
    /** It reports Available=False. */
    UNAVAILABLE
}
