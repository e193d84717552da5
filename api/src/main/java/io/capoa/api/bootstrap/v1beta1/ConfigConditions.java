package io.capoa.api.bootstrap.v1beta1;

import io.capoa.api.conditions.FailureReasons;
import io.capoa.api.conversion.ConversionLoss;

/**
 * Condition types of an OpenshiftAssistedConfig and the reasons they give.
 *
 * <p>A type that is True gives its own name as reason, unless a reason below says otherwise.
 */
public final class ConfigConditions {

    /** Whether the object lacks something that its older form could not carry; absent otherwise. */
    public static final String CONVERSION_INCOMPLETE = ConversionLoss.CONDITION;

    /** Fields that only v1beta1 has were too large for the annotation of an older version. */
    public static final String FIELDS_TOO_LARGE = ConversionLoss.TOO_LARGE;

    /** The annotation of an older version held what it must not, and that was ignored. */
    public static final String FIELDS_IGNORED = ConversionLoss.IGNORED;

    /** Summary over the whole life of the config; Cluster API shows it as BootstrapConfigReady of the Machine. */
    public static final String READY = "Ready";

    /** The bootstrap data Secret exists and is complete. */
    public static final String DATA_SECRET_AVAILABLE = "DataSecretAvailable";

    /** assisted-service has made boot media for the host. */
    public static final String INFRA_ENV_READY = "InfraEnvReady";

    /** The host has booted and reported to assisted-service. */
    public static final String AGENT_REGISTERED = "AgentRegistered";

    /** The Agent carries role, ignition and installer arguments, and is approved. */
    public static final String AGENT_APPROVED = "AgentApproved";

    /** The host has been installed and belongs to the cluster. */
    public static final String INSTALLED = "Installed";

    /**
     * The host is off and stays off until it is provisioned again. Reported only for the host of a Machine that is being
     * removed and has to be off first; Unknown where the infrastructure provider does not manage power.
     */
    public static final String HOST_POWERED_OFF = "HostPoweredOff";

    /** {@link #HOST_POWERED_OFF} False: its infrastructure provider has been asked to power it off. */
    public static final String POWERING_OFF_HOST = "PoweringOffHost";

    /** {@link #HOST_POWERED_OFF} Unknown: the infrastructure provider does not show the host. */
    public static final String HOST_POWER_NOT_MANAGED = "HostPowerNotManaged";

    /** The config is not reconciled; True is the state to look at. */
    public static final String PAUSED = "Paused";

    /** A value of the spec is missing or has another type than its field: it was stored through an older version. */
    public static final String INVALID_CONFIGURATION = "InvalidConfiguration";

    /** No Machine owns the config yet. */
    public static final String WAITING_FOR_MACHINE = "WaitingForMachine";

    /** The owner is of a kind that cannot be served, such as a MachinePool: hosts are individual. */
    public static final String UNSUPPORTED_OWNER = "UnsupportedOwner";

    /** The Cluster that the Machine names does not exist yet. */
    public static final String WAITING_FOR_CLUSTER = "WaitingForCluster";

    /** The Cluster's infrastructure is not provisioned yet. */
    public static final String WAITING_FOR_CLUSTER_INFRASTRUCTURE = "WaitingForClusterInfrastructure";

    /** ClusterDeployment or AgentClusterInstall do not exist yet, or assisted-service does not answer. */
    public static final String WAITING_FOR_ASSISTED_INSTALLER = "WaitingForAssistedInstaller";

    /** The cluster is being installed: a further worker joins once that is complete. */
    public static final String WAITING_FOR_INSTALL_COMPLETE = "WaitingForInstallComplete";

    /** The Secret that {@code spec.pullSecretRef} names does not exist. */
    public static final String PULL_SECRET_NOT_FOUND = "PullSecretNotFound";

    /** The Secret that {@code spec.pullSecretRef} names has no readable {@code .dockerconfigjson}. */
    public static final String PULL_SECRET_INVALID = "PullSecretInvalid";

    /** The InfraEnv could not be written. */
    public static final String INFRA_ENV_FAILED = "InfraEnvFailed";

    /** An InfraEnv of the Machine's name exists and belongs to another owner. */
    public static final String INFRA_ENV_CONFLICT = "InfraEnvConflict";

    /** assisted-service refused the InfraEnv or could not make the image. */
    public static final String IMAGE_CREATION_FAILED = "ImageCreationFailed";

    /** assisted-service refused the AgentClusterInstall of the cluster; until it is corrected there are no boot media. */
    public static final String INSTALL_SPEC_REJECTED = "InstallSpecRejected";

    /** The InfraEnv does not say yet where its boot media are. */
    public static final String WAITING_FOR_INFRA_ENV_TO_BE_READY = "WaitingForInfraEnvToBeReady";

    /** The InfraEnv does not say yet where its live ISO is. */
    public static final String WAITING_FOR_LIVE_ISO_URL = "WaitingForLiveISOURL";

    /** The Machine's infrastructure machine does not exist yet, or is not seen: how its host boots is not known. */
    public static final String WAITING_FOR_INFRASTRUCTURE_MACHINE = "WaitingForInfrastructureMachine";

    /** The Metal3Machine could not be given the URL of the live ISO. */
    public static final String LIVE_ISO_FAILED = "LiveISOFailed";

    /** The Metal3Machine has not taken a BareMetalHost, whose UID or name the Agent is to carry. */
    public static final String WAITING_FOR_BARE_METAL_HOST = "WaitingForBareMetalHost";

    /** Metal3 could not give the Metal3Machine a BareMetalHost; the message quotes it. */
    public static final String NO_HOST_AVAILABLE = "NoHostAvailable";

    /** baremetal-operator reports an error of the host, which has not booted for the Machine yet; the message quotes it. */
    public static final String BARE_METAL_HOST_ERROR = "BareMetalHostError";

    /** The host has reported and not yet said what hardware it has. */
    public static final String WAITING_FOR_INVENTORY = "WaitingForInventory";

    /** The host has no disk that the hints match. */
    public static final String INSTALLATION_DISK_NOT_FOUND = "InstallationDiskNotFound";

    /** assisted-service rejects the Agent's spec. */
    public static final String AGENT_SPEC_REFUSED = "AgentSpecRefused";

    /** The host no longer answers assisted-service. */
    public static final String AGENT_DISCONNECTED = "AgentDisconnected";

    /** The discovery ignition is being downloaded. */
    public static final String DOWNLOADING_IGNITION = "DownloadingIgnition";

    /** The place of assisted-service's CA certificates, which the host needs to fetch its ignition, is not readable yet. */
    public static final String WAITING_FOR_CA_CERTIFICATES = "WaitingForCACertificates";

    /** The discovery ignition could not be downloaded; it is tried again. */
    public static final String IGNITION_DOWNLOAD_FAILED = "IgnitionDownloadFailed";

    /** What was downloaded or given as an override is no ignition that can be used. */
    public static final String INVALID_IGNITION = "InvalidIgnition";

    /** {@code spec.nodeRegistration} holds a name, label or provider ID that cannot be resolved on the host. */
    public static final String INVALID_NODE_REGISTRATION = "InvalidNodeRegistration";

    /** {@code spec.nodeRegistration} needs metadata of the host, which one that boots a live ISO does not have. */
    public static final String HOST_METADATA_UNAVAILABLE = "HostMetadataUnavailable";

    /** {@code customDeploy} of the Metal3Machine or the BareMetalHost keeps the host from booting what was made for it. */
    public static final String CUSTOM_DEPLOY_CONFLICT = "CustomDeployConflict";

    /** The BareMetalHost has the label by which assisted-service's own bare-metal agent controller looks after it. */
    public static final String HOST_MANAGED_BY_ASSISTED_SERVICE = "HostManagedByAssistedService";

    /** The host was booted while the installation took no further host, and has not registered; the message has the remedy. */
    public static final String HOST_NOT_REGISTERED = "HostNotRegistered";

    /** The BareMetalHost could not be annotated, to reboot it or to detach it after its installation. */
    public static final String HOST_UPDATE_FAILED = "HostUpdateFailed";

    /** The bootstrap data Secret could not be written. */
    public static final String CREATING_SECRET_FAILED = "CreatingSecretFailed";

    /** The Secret of the config's name exists and belongs to another owner. */
    public static final String SECRET_CONFLICT = "SecretConflict";

    /** The host has not reported to assisted-service yet. */
    public static final String WAITING_FOR_AGENT = "WaitingForAgent";

    /** More than one host booted with the boot media of this Machine; one of them is approved. */
    public static final String DUPLICATE_AGENT = "DuplicateAgent";

    /** The BareMetalHost has annotations for a controller of assisted-service that does not look after it. */
    public static final String HOST_SETTINGS_IGNORED = "HostSettingsIgnored";

    /** NMStateConfigs of other namespaces match the selector, and assisted-service adds them to what the host boots. */
    public static final String FOREIGN_NETWORK_SETTINGS = "ForeignNetworkSettings";

    /** Another host booted with the boot media of this Machine; it is not approved. */
    public static final String WRONG_HOST = "WrongHost";

    /** Several hosts booted the media of this Machine, and nothing identifies its own; none is approved. */
    public static final String AMBIGUOUS_HOST = "AmbiguousHost";

    /** The Agent is known and does not yet carry what it needs to be approved. */
    public static final String WAITING_FOR_APPROVAL = "WaitingForApproval";

    /** A Machine whose Node has the name that the host will have is being deleted; the message names it. */
    public static final String WAITING_FOR_NODE_NAME = "WaitingForNodeName";

    /** The Agent could not be written. */
    public static final String AGENT_UPDATE_FAILED = "AgentUpdateFailed";

    /** The host fails a validation of assisted-service; the message names it. */
    public static final String AGENT_VALIDATION_FAILED = "AgentValidationFailed";

    /** assisted-service has not started with the host yet. */
    public static final String WAITING_FOR_INSTALLATION = "WaitingForInstallation";

    /** The host is being installed; the message names stage and percentage. */
    public static final String INSTALLING = "Installing";

    /** Installation of the host ended in an error. */
    public static final String INSTALLATION_FAILED = "InstallationFailed";

    /** The installation of the cluster failed, though not on this host. */
    public static final String CLUSTER_INSTALLATION_FAILED = "ClusterInstallationFailed";

    /** {@link #PAUSED} False: the config is reconciled. */
    public static final String NOT_PAUSED = "NotPaused";

    /** The config, or its Machine, is being deleted. */
    public static final String DELETING = "Deleting";

    /** Reconciliation failed for a reason of its own; the message has it. Further ones: {@link FailureReasons}. */
    public static final String INTERNAL_ERROR = FailureReasons.INTERNAL_ERROR;

    private ConfigConditions() {}
}
