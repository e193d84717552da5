package io.capoa.api.conditions;

/** Reasons that conditions of both providers give when a reconcile itself failed; the message names the remedy. */
public final class FailureReasons {

    /** The provider lacks a right in the management cluster; the message names verb, resource and namespace. */
    public static final String FORBIDDEN = "Forbidden";

    /** The management cluster lacks a kind, or the version of it, that the provider works with. */
    public static final String KIND_NOT_INSTALLED = "KindNotInstalled";

    /** The API server, a webhook or a quota refused a request; the message has the API server's answer. */
    public static final String REQUEST_REFUSED = "RequestRefused";

    /** The API server, or a webhook that it calls, did not answer a request. */
    public static final String REQUEST_UNANSWERED = "RequestUnanswered";

    /**
     * Objects of other products in the namespace would take more memory than the provider has for them, so nothing is
     * decided; the message names one of them, the limit and the remedy.
     */
    public static final String OBJECTS_NOT_HELD = "ObjectsNotHeld";

    /** An exception that nothing else explains; the log of the provider has more. */
    public static final String INTERNAL_ERROR = "InternalError";

    private FailureReasons() {}
}
