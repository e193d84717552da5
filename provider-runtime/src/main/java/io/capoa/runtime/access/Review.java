package io.capoa.runtime.access;

/** What the API server says of a request. */
public enum Review {
    ALLOWED,
    /** Nobody is known by the token, or there is none. */
    UNAUTHENTICATED,
    /** Its user lacks the right. */
    FORBIDDEN,
    /** The address has sent too many tokens that were refused. */
    TOO_MANY,
    /** The API server cannot be asked now. */
    UNKNOWN
}
