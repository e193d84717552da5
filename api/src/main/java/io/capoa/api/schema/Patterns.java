package io.capoa.api.schema;

/** Syntax that more than one field obeys, as regular expressions of OpenAPI and CEL. */
public final class Patterns {

    /** A name as Kubernetes gives it to objects and API groups. */
    public static final String DNS_SUBDOMAIN = "^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$";

    /** {@link #DNS_SUBDOMAIN} or nothing: an empty name is no reference. */
    public static final String OPTIONAL_DNS_SUBDOMAIN =
            "^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*)?$";

    /** Printable ASCII in one line. */
    public static final String ONE_LINE = "^[ -~]*$";

    /** A word as versions and architectures are: letters, digits and . _ + - */
    public static final String WORD = "^[A-Za-z0-9._+-]*$";

    /** A kind of the Kubernetes API. */
    public static final String KIND = "^[a-zA-Z]([-a-zA-Z0-9]*[a-zA-Z0-9])?$";

    /** The type of a condition as {@code metav1.Condition} has it. */
    public static final String CONDITION_TYPE =
            "^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$";

    /** A taint key: a qualified name. */
    public static final String QUALIFIED_NAME =
            "^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\\/)?([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$";

    /** The value of a label or taint. */
    public static final String LABEL_VALUE = "^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$";

    /** The reason of a condition as {@code metav1.Condition} has it. */
    public static final String CONDITION_REASON = "^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$";

    /** An absolute path that a shell script can take as it is. */
    public static final String SAFE_PATH = "^/[a-zA-Z0-9_./-]+$";

    private Patterns() {}
}
