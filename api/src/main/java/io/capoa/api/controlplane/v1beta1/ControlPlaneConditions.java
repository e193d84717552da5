package io.capoa.api.controlplane.v1beta1;

import io.capoa.api.conditions.FailureReasons;
import io.capoa.api.conversion.ConversionLoss;

/**
 * Condition types of an OpenshiftAssistedControlPlane and the reasons they give; those that it keeps on its Machines are in
 * {@link ControlPlaneMachineConditions}.
 *
 * <p>RollingOut, ScalingUp, ScalingDown, Remediating, Deleting, Paused and
 * ConversionIncomplete are good when False or absent; all others when True. A
 * type in its good state gives its own name, or {@code Not} and its name, as reason, unless a reason below says
 * otherwise.
 */
public final class ControlPlaneConditions {

    /** Whether the object lacks something that its older form could not carry; absent otherwise. */
    public static final String CONVERSION_INCOMPLETE = ConversionLoss.CONDITION;

    /** Fields that only v1beta1 has were too large for the annotation of an older version. */
    public static final String FIELDS_TOO_LARGE = ConversionLoss.TOO_LARGE;

    /** The annotation of an older version held what it must not, and that was ignored. */
    public static final String FIELDS_IGNORED = ConversionLoss.IGNORED;

    /** Summary of the conditions that stand for health. */
    public static final String READY = "Ready";

    /** The installed API server answers; Cluster API shows it as ControlPlaneAvailable of the Cluster. */
    public static final String AVAILABLE = "Available";

    /** The API server has answered once; stays True. */
    public static final String INITIALIZED = "Initialized";

    /**
     * What was known before the first host was taken speaks for an installation that completes; stays as it was then until
     * the installation starts, or is complete if findings are accepted, and has no message thereafter. Absent where no plan
     * was made.
     */
    public static final String INSTALLATION_PLANNED = "InstallationPlanned";

    /** {@link #INSTALLATION_PLANNED} False: the installation would fail, so no host is taken; the message has the findings. */
    public static final String BLOCKING_FINDINGS = "BlockingFindings";

    /** {@link #INSTALLATION_PLANNED} True: the user installs with the findings that the message names. */
    public static final String FINDINGS_ACCEPTED = "FindingsAccepted";

    /** {@link #INSTALLATION_PLANNED} Unknown: no plan could be made, or a kind could not be read. It blocks nothing. */
    public static final String PLAN_INCOMPLETE = "PlanIncomplete";

    /** All wanted Machines exist with their infrastructure machine and config. */
    public static final String MACHINES_CREATED = "MachinesCreated";

    /** All control plane Machines are Ready. */
    public static final String MACHINES_READY = "MachinesReady";

    /** All control plane Machines are what the spec asks for. */
    public static final String MACHINES_UP_TO_DATE = "MachinesUpToDate";

    /** The Secret {@code <cluster>-kubeconfig} exists and holds the cluster's administrator kubeconfig. */
    public static final String KUBECONFIG_AVAILABLE = "KubeconfigAvailable";

    /** The Kubernetes version of the wanted release is known. */
    public static final String KUBERNETES_VERSION_AVAILABLE = "KubernetesVersionAvailable";

    /** {@code spec.distributionVersion} was resolved to a release image digest. */
    public static final String RELEASE_RESOLVED = "ReleaseResolved";

    /** The installation has not failed: it runs, waits or is complete. */
    public static final String INSTALL_SUCCEEDING = "InstallSucceeding";

    /** All members of the installed cluster's etcd answer, and each control plane Node has one. */
    public static final String ETCD_CLUSTER_HEALTHY = "EtcdClusterHealthy";

    /**
     * The installed cluster's control plane Nodes are Ready, and its operators of etcd, kube-apiserver,
     * kube-controller-manager and kube-scheduler are available and not degraded.
     */
    public static final String CONTROL_PLANE_COMPONENTS_HEALTHY = "ControlPlaneComponentsHealthy";

    /**
     * Neither the client certificate of the kubeconfig nor one that the cluster's API server shows is in the last part of its
     * validity. Absent until the installed cluster has been asked.
     */
    public static final String CERTIFICATES_UP_TO_DATE = "CertificatesUpToDate";

    /** {@link #CERTIFICATES_UP_TO_DATE} False: the message says which expire, and when. */
    public static final String CERTIFICATE_EXPIRING = "CertificateExpiring";

    /** {@link #ETCD_CLUSTER_HEALTHY} or {@link #CONTROL_PLANE_COMPONENTS_HEALTHY} True. */
    public static final String HEALTHY = "Healthy";

    /** {@link #ETCD_CLUSTER_HEALTHY} or {@link #CONTROL_PLANE_COMPONENTS_HEALTHY} False; the message lists what is not. */
    public static final String NOT_HEALTHY = "NotHealthy";

    /**
     * {@link #ETCD_CLUSTER_HEALTHY} or {@link #CONTROL_PLANE_COMPONENTS_HEALTHY} Unknown: the control plane is not installed,
     * or its cluster has not been asked yet.
     */
    public static final String HEALTH_UNKNOWN = "HealthUnknown";

    /** {@link #ETCD_CLUSTER_HEALTHY} Unknown: the cluster answers, but the members cannot be listed. */
    public static final String INSPECTION_FAILED = "InspectionFailed";

    /** {@link #ETCD_CLUSTER_HEALTHY} or {@link #CONTROL_PLANE_COMPONENTS_HEALTHY} Unknown: the cluster does not answer. */
    public static final String CONNECTION_DOWN = "ConnectionDown";

    /**
     * The last upgrade that was asked for is complete: the control plane runs the release. The message counts the nodes
     * of other pools that follow. Absent on a cluster that never was upgraded.
     */
    public static final String UPGRADE_COMPLETED = "UpgradeCompleted";

    /**
     * The cloud controller manager of the user's manifests runs and has initialized every Node; only with platform External
     * and {@code cloudControllerManager: External}.
     */
    public static final String CLOUD_CONTROLLER_MANAGER_READY = "CloudControllerManagerReady";

    /** {@link #CLOUD_CONTROLLER_MANAGER_READY} Unknown: the cluster's API has not answered. */
    public static final String CLOUD_CONTROLLER_MANAGER_UNKNOWN = "CloudControllerManagerUnknown";

    /** {@link #CLOUD_CONTROLLER_MANAGER_READY} False: the cluster has no such Deployment or DaemonSet. */
    public static final String CLOUD_CONTROLLER_MANAGER_NOT_FOUND = "CloudControllerManagerNotFound";

    /** {@link #CLOUD_CONTROLLER_MANAGER_READY} False: pods do not run; the message says why. */
    public static final String CLOUD_CONTROLLER_MANAGER_UNAVAILABLE = "CloudControllerManagerUnavailable";

    /** {@link #CLOUD_CONTROLLER_MANAGER_READY} False: it runs, and Nodes still have its taint. */
    public static final String NODES_UNINITIALIZED = "NodesUninitialized";

    /** The cluster can be upgraded, or is being upgraded, to the release that is asked for. Absent while it runs that. */
    public static final String UPGRADE_AVAILABLE = "UpgradeAvailable";

    /** Machines are being replaced or changed to meet the spec. */
    public static final String ROLLING_OUT = "RollingOut";

    /** There are fewer Machines than {@code spec.replicas}. */
    public static final String SCALING_UP = "ScalingUp";

    /** There are more Machines than {@code spec.replicas}, or some are being deleted. */
    public static final String SCALING_DOWN = "ScalingDown";

    /** A Machine that a MachineHealthCheck found unhealthy is being replaced. */
    public static final String REMEDIATING = "Remediating";

    /** The control plane is being deleted. */
    public static final String DELETING = "Deleting";

    /** The control plane is not reconciled. */
    public static final String PAUSED = "Paused";

    /** The management cluster lacks a kind that the provider works with; the message says what to install. */
    public static final String KIND_NOT_INSTALLED = FailureReasons.KIND_NOT_INSTALLED;

    /** {@link #ROLLING_OUT} False: Machines are outdated, and are replaced when the user deletes them. */
    public static final String WAITING_FOR_DELETION = "WaitingForDeletion";

    /** No Cluster owns the control plane yet. */
    public static final String WAITING_FOR_CLUSTER = "WaitingForCluster";

    /** The Cluster's infrastructure is not provisioned yet. */
    public static final String WAITING_FOR_CLUSTER_INFRASTRUCTURE = "WaitingForClusterInfrastructure";

    /** {@code Cluster.spec.controlPlaneEndpoint} has no host or port yet. */
    public static final String WAITING_FOR_CONTROL_PLANE_ENDPOINT = "WaitingForControlPlaneEndpoint";

    /** The Secret that {@code spec.config.pullSecretRef} names does not exist. */
    public static final String PULL_SECRET_NOT_FOUND = "PullSecretNotFound";

    /** The Secret that {@code spec.config.pullSecretRef} names has no readable {@code .dockerconfigjson}. */
    public static final String PULL_SECRET_INVALID = "PullSecretInvalid";

    /** {@code spec.version} is not the Kubernetes version of the release. */
    public static final String VERSION_MISMATCH = "VersionMismatch";

    /** A value of the spec cannot be used; the message names the field and what to write instead. */
    public static final String INVALID_CONFIGURATION = "InvalidConfiguration";

    /** The release is being looked up in its registry. */
    public static final String RESOLVING_RELEASE = "ResolvingRelease";

    /** The registry has no such release image. */
    public static final String RELEASE_IMAGE_NOT_FOUND = "ReleaseImageNotFound";

    /** The name of the release image is no image reference, or the image is not a release image. */
    public static final String RELEASE_IMAGE_INVALID = "ReleaseImageInvalid";

    /** The registry of the release image does not accept the pull secret, or the pull secret cannot be read. */
    public static final String RELEASE_REGISTRY_UNAUTHORIZED = "ReleaseRegistryUnauthorized";

    /** The registry of the release image does not answer, or answers with an error of its own; it is tried again. */
    public static final String RELEASE_REGISTRY_UNREACHABLE = "ReleaseRegistryUnreachable";

    /** The release image does not say which Kubernetes version it holds, or could not be read. */
    public static final String KUBERNETES_VERSION_UNAVAILABLE = "KubernetesVersionUnavailable";

    /** The ConfigMap that {@code spec.config.imageRegistryRef} names is absent or cannot be used. */
    public static final String IMAGE_REGISTRY_INVALID = "ImageRegistryInvalid";

    /** A ConfigMap that {@code spec.config.manifestsConfigMapRefs} names does not exist. */
    public static final String MANIFESTS_NOT_FOUND = "ManifestsNotFound";

    /** Manifests that the user adds have names that the installer does not take, or the same name twice. */
    public static final String MANIFESTS_INVALID = "ManifestsInvalid";

    /**
     * The manifests that the user adds have no cloud controller manager that can run, which platform External with one
     * requires; the message has the first finding and its remedy.
     */
    public static final String CLOUD_CONTROLLER_MANAGER_MANIFESTS_INVALID = "CloudControllerManagerManifestsInvalid";

    /** {@link #INSTALL_SUCCEEDING} Unknown: long manifests that the user adds are being checked. */
    public static final String CHECKING_MANIFESTS = "CheckingManifests";

    /** ClusterDeployment, AgentClusterInstall or ClusterImageSet of this name exist and belong to another owner. */
    public static final String INSTALL_OBJECTS_CONFLICT = "InstallObjectsConflict";

    /** ClusterDeployment, AgentClusterInstall or ClusterImageSet could not be written. */
    public static final String INSTALL_OBJECTS_FAILED = "InstallObjectsFailed";

    /** The infrastructure template is absent, or an infrastructure machine could not be made from it. */
    public static final String INFRASTRUCTURE_TEMPLATE_CLONING_FAILED = "InfrastructureTemplateCloningFailed";

    /** An OpenshiftAssistedConfig could not be made. */
    public static final String BOOTSTRAP_TEMPLATE_CLONING_FAILED = "BootstrapTemplateCloningFailed";

    /** A Machine could not be made. */
    public static final String MACHINE_GENERATION_FAILED = "MachineGenerationFailed";

    /** Machines are being created. */
    public static final String CREATING_MACHINES = "CreatingMachines";

    /** {@link #MACHINES_READY} False; the message lists the Machines and what they wait for. */
    public static final String MACHINES_NOT_READY = "MachinesNotReady";

    /** {@link #MACHINES_UP_TO_DATE} False; the message lists the Machines and how they differ. */
    public static final String MACHINES_NOT_UP_TO_DATE = "MachinesNotUpToDate";

    /** There is no control plane Machine to judge by. */
    public static final String NO_REPLICAS = "NoReplicas";

    /** The installation has not produced a kubeconfig yet. */
    public static final String KUBECONFIG_UNAVAILABLE = "KubeconfigUnavailable";

    /**
     * The Secret {@code <cluster>-kubeconfig} was created by another client, or the user wrote another kubeconfig into it; it
     * is used as it is.
     */
    public static final String KUBECONFIG_USER_PROVIDED = "KubeconfigUserProvided";

    /** The cluster is not installed yet; the message names assisted-service's state and what it waits for. */
    public static final String CONTROL_PLANE_INSTALLING = "ControlPlaneInstalling";

    /** The installed API server does not answer, or reports that it is not healthy. */
    public static final String API_SERVER_UNREACHABLE = "APIServerUnreachable";

    /**
     * {@link #AVAILABLE} False, {@link #ETCD_CLUSTER_HEALTHY} or {@link #CONTROL_PLANE_COMPONENTS_HEALTHY} Unknown: the API server
     * refuses the kubeconfig, or has a certificate that the kubeconfig does not trust.
     */
    public static final String KUBECONFIG_REFUSED = "KubeconfigRefused";

    /** {@link #AVAILABLE} False: etcd of the installed cluster has no majority of healthy members. */
    public static final String ETCD_MAJORITY_LOST = "EtcdMajorityLost";

    /** {@link #INITIALIZED} False: the API server has not answered yet. */
    public static final String NOT_INITIALIZED = "NotInitialized";

    /** assisted-service has not started yet: it waits for hosts, or for their approval. */
    public static final String WAITING_FOR_HOSTS = "WaitingForHosts";

    /** The installation does not start because of hosts; the message names their Machines and what is wrong. */
    public static final String HOSTS_NOT_READY = "HostsNotReady";

    /** The user holds the installation back. */
    public static final String INSTALLATION_ON_HOLD = "InstallationOnHold";

    /** The cluster fails a validation of assisted-service; the message names it. */
    public static final String CLUSTER_VALIDATION_FAILED = "ClusterValidationFailed";

    /** The installation runs. */
    public static final String INSTALLING = "Installing";

    /** The installation is complete. */
    public static final String INSTALL_COMPLETED = "InstallCompleted";

    /** The installation ended in an error or was cancelled; the message quotes assisted-service. */
    public static final String INSTALL_FAILED = "InstallFailed";

    /** The objects of a failed installation are being deleted and then recreated. */
    public static final String RETRYING_INSTALL = "RetryingInstall";

    /** assisted-service rejected the AgentClusterInstall; the message quotes it. */
    public static final String INSTALL_SPEC_REJECTED = "InstallSpecRejected";

    /** assisted-service creates no boot media for a host, so the installation does not start; the message names its config. */
    public static final String IMAGE_CREATION_FAILED = "ImageCreationFailed";

    /**
     * {@link #UPGRADE_COMPLETED} False: the cluster is on its way to the release; the message says how far, or which
     * step is next.
     */
    public static final String UPGRADE_IN_PROGRESS = "UpgradeInProgress";

    /** {@link #UPGRADE_COMPLETED} False: the cluster does not move on. */
    public static final String UPGRADE_FAILED = "UpgradeFailed";

    /** {@link #UPGRADE_AVAILABLE} False: the release image does not exist. */
    public static final String UPGRADE_IMAGE_UNAVAILABLE = "UpgradeImageUnavailable";

    /** {@link #UPGRADE_AVAILABLE} False: another operation runs, or the control plane is not healthy enough. */
    public static final String UPGRADE_WAITING_FOR_CONTROL_PLANE = "UpgradeWaitingForControlPlane";

    /** {@link #UPGRADE_AVAILABLE} Unknown: the cluster's API has not answered. */
    public static final String UPGRADE_CLUSTER_UNREACHABLE = "UpgradeClusterUnreachable";

    /**
     * False while the version of a worker MachineDeployment differs from the cluster's, or from that of its Machines, and
     * something is to be done or waited for; absent otherwise.
     */
    public static final String WORKERS_FOLLOW_IN_PLACE = "WorkersFollowInPlace";

    /** {@link #WORKERS_FOLLOW_IN_PLACE} False: without the runtime extension the version cannot be changed in place. */
    public static final String WORKER_VERSION_OUTDATED = "WorkerVersionOutdated";

    /** {@link #WORKERS_FOLLOW_IN_PLACE} False: the Machines are being updated. */
    public static final String UPDATING_WORKERS = "UpdatingWorkers";

    /** {@link #WORKERS_FOLLOW_IN_PLACE} False: the version is changed, and the extension's handlers are not known. */
    public static final String WAITING_FOR_RUNTIME_EXTENSION = "WaitingForRuntimeExtension";

    /** {@link #WORKERS_FOLLOW_IN_PLACE} False: the version is changed without the extension, which reinstalls hosts. */
    public static final String WORKERS_REINSTALLED = "WorkersReinstalled";

    /** {@link #UPGRADE_AVAILABLE} False: the release cannot follow on the running one; the message says which can. */
    public static final String UPGRADE_PATH_UNSUPPORTED = "UpgradePathUnsupported";

    /** {@link #UPGRADE_AVAILABLE} False: the cluster's update service or channel does not offer the release. */
    public static final String UPGRADE_NOT_OFFERED = "UpgradeNotOffered";

    /** {@link #UPGRADE_AVAILABLE} False: the update has known risks that have not been accepted. */
    public static final String UPGRADE_NOT_RECOMMENDED = "UpgradeNotRecommended";

    /** {@link #UPGRADE_AVAILABLE} False: the cluster says that it is not ready for a new minor version. */
    public static final String UPGRADE_NOT_UPGRADEABLE = "UpgradeNotUpgradeable";

    /** {@link #UPGRADE_AVAILABLE} False: the administrator has to acknowledge a change of the next minor version. */
    public static final String UPGRADE_ACKNOWLEDGEMENT_REQUIRED = "UpgradeAcknowledgementRequired";

    /** {@link #UPGRADE_AVAILABLE} False: a machine config pool is paused or degraded. */
    public static final String UPGRADE_POOL_NOT_READY = "UpgradePoolNotReady";

    /** {@link #UPGRADE_AVAILABLE} False: the cluster is being upgraded to another release. */
    public static final String UPGRADE_TO_OTHER_RELEASE = "UpgradeToOtherRelease";

    /**
     * {@link #UPGRADE_AVAILABLE} False: {@code spec.version} is not the Kubernetes version of the release; the message
     * names both.
     */
    public static final String UPGRADE_VERSION_MISMATCH = "UpgradeVersionMismatch";

    /** {@link #UPGRADE_AVAILABLE} False: Cluster API has not raised {@code spec.version} to that of the release yet. */
    public static final String UPGRADE_WAITING_FOR_VERSION = "UpgradeWaitingForVersion";

    /** {@link #ROLLING_OUT} False. */
    public static final String NOT_ROLLING_OUT = "NotRollingOut";

    /** {@link #SCALING_UP} False. */
    public static final String NOT_SCALING_UP = "NotScalingUp";

    /** {@link #SCALING_DOWN} False. */
    public static final String NOT_SCALING_DOWN = "NotScalingDown";

    /** {@link #REMEDIATING} False. */
    public static final String NOT_REMEDIATING = "NotRemediating";

    /** {@link #REMEDIATING} False: unhealthy Machines are replaced later. */
    public static final String REMEDIATION_DEFERRED = ControlPlaneMachineConditions.REMEDIATION_DEFERRED;

    /** {@link #REMEDIATING} False: an unhealthy Machine is not replaced unless you do something. */
    public static final String CANNOT_BE_REMEDIATED = ControlPlaneMachineConditions.CANNOT_BE_REMEDIATED;

    /** {@link #DELETING} False. */
    public static final String NOT_DELETING = "NotDeleting";

    /** {@link #PAUSED} False. */
    public static final String NOT_PAUSED = "NotPaused";

    /** {@link #DELETING} True: worker Machines are still there and go first. */
    public static final String WAITING_FOR_WORKERS_DELETION = "WaitingForWorkersDeletion";

    /** {@link #DELETING} True: control plane Machines are still there. */
    public static final String WAITING_FOR_MACHINE_DELETION = "WaitingForMachineDeletion";

    /** {@link #DELETING} True: ClusterDeployment or AgentClusterInstall are still there. */
    public static final String WAITING_FOR_INSTALL_OBJECTS_DELETION = "WaitingForInstallObjectsDeletion";

    /** Reconciliation failed for a reason of its own; the message has it. Further ones: {@link FailureReasons}. */
    public static final String INTERNAL_ERROR = FailureReasons.INTERNAL_ERROR;

    private ControlPlaneConditions() {}
}
