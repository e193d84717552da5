package io.capoa.runtime.manager;

/** Keys of the diagnostic context that log lines are drawn from; those of the resource are JOSDK's. */
final class LogFields {

    static final String CONTROLLER = "controller";
    static final String RECONCILE_ID = "reconcileID";
    static final String RESOURCE_NAMESPACE = "resource.namespace";
    static final String RESOURCE_NAME = "resource.name";
    static final String RESOURCE_KIND = "resource.kind";

    private LogFields() {}
}
