package io.capoa.runtime.logging;

/** MDC keys that log lines show; JOSDK sets those of the resource. */
public final class LogFields {

    public static final String CONTROLLER = "controller";
    public static final String RECONCILE_ID = "reconcileID";
    static final String RESOURCE_NAMESPACE = "resource.namespace";
    static final String RESOURCE_NAME = "resource.name";
    static final String RESOURCE_KIND = "resource.kind";

    private LogFields() {}
}
