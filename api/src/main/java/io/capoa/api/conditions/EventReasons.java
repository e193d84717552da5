package io.capoa.api.conditions;

/** Reasons of Events that are no reasons of conditions. */
public final class EventReasons {

    /** A failure of an OpenshiftAssistedConfig that an earlier Event reported is over; the note has that failure. */
    public static final String RECOVERED = "Recovered";

    /** The bootstrap data is larger than the user data of a cloud may be; the note names the clouds. */
    public static final String USER_DATA_TOO_LARGE = "UserDataTooLarge";

    /** The control plane deletes a Machine; the note says why. */
    public static final String DELETING_MACHINE = "DeletingMachine";

    /** The control plane changes its cluster for an upgrade; the note says what. */
    public static final String UPGRADING_CLUSTER = "UpgradingCluster";

    /** The quorum guard of the cluster's etcd operator is overridden or restored. */
    public static final String ETCD_QUORUM_GUARD = "EtcdQuorumGuard";

    /** The user's cloud controller manager runs, but the linter has findings; the note lists them. */
    public static final String CLOUD_CONTROLLER_MANAGER_WARNINGS = "CloudControllerManagerWarnings";

    /** The user installs with blocking findings of the linter; the note lists them with the user's reasons. */
    public static final String CLOUD_CONTROLLER_MANAGER_FINDINGS_ACCEPTED = "CloudControllerManagerFindingsAccepted";

    private EventReasons() {}
}
