package io.capoa.api.controlplane.v1beta1;

/** Condition types that a control plane writes on its Machines, and the reasons they give. */
public final class ControlPlaneMachineConditions {

    /** The Machine is what the spec asks for; gives its own name as reason when True (Cluster API, "UpToDate"). */
    public static final String UP_TO_DATE = "UpToDate";

    /** {@link #UP_TO_DATE} False; the message lists the differences. */
    public static final String NOT_UP_TO_DATE = "NotUpToDate";

    /**
     * While False, a MachineHealthCheck asks for the Machine's replacement, and the reason says what comes of it (Cluster
     * API, "OwnerRemediated").
     */
    public static final String OWNER_REMEDIATED = "OwnerRemediated";

    /** {@link #OWNER_REMEDIATED} False: its replacement has to wait; the message says for what. */
    public static final String REMEDIATION_DEFERRED = "RemediationDeferred";

    /** {@link #OWNER_REMEDIATED} False: it is not replaced; the message has the remedy. */
    public static final String CANNOT_BE_REMEDIATED = "CannotBeRemediated";

    /** {@link #OWNER_REMEDIATED} False: it is being deleted. */
    public static final String MACHINE_DELETING = "MachineDeleting";

    private ControlPlaneMachineConditions() {}
}
