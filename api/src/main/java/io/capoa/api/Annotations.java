package io.capoa.api;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Annotations that are part of an API: ours, Cluster API's, Metal3's and assisted-service's. */
public final class Annotations {

    /** Its presence stops reconciliation of the object (Cluster API contracts, "pausing"); the value does not matter. */
    public static final String PAUSED = "cluster.x-k8s.io/paused";

    /** On a cloned object: name of the template it was made from. */
    public static final String CLONED_FROM_NAME = "cluster.x-k8s.io/cloned-from-name";

    /** On a cloned object: kind and group of the template it was made from, as {@code Kind.group}. */
    public static final String CLONED_FROM_GROUP_KIND = "cluster.x-k8s.io/cloned-from-groupkind";

    /** On a Machine: it is deleted first when its owner scales down. */
    public static final String DELETE_MACHINE = "cluster.x-k8s.io/delete-machine";

    /** Marks a Machine as unhealthy for its MachineHealthCheck and as the first to be remediated. */
    public static final String REMEDIATE_MACHINE = "cluster.x-k8s.io/remediate-machine";

    /** On a control plane whose unhealthy Machine has been deleted, until its replacement exists; JSON. */
    public static final String REMEDIATION_IN_PROGRESS = "controlplane.cluster.x-k8s.io/remediation-in-progress";

    /** On the replacement of an unhealthy Machine: which one it replaces; JSON. */
    public static final String REMEDIATION_FOR = "controlplane.cluster.x-k8s.io/remediation-for";

    /**
     * On a Secret {@code <cluster>-kubeconfig}: hash of the kubeconfig of assisted-service that was copied to it last. While
     * assisted-service has no other one, a kubeconfig in the Secret that differs is the user's.
     */
    public static final String COPIED_KUBECONFIG = "controlplane.cluster.x-k8s.io/copied-kubeconfig";

    /** On a control plane while the quorum guard of its cluster's etcd operator is overridden. */
    public static final String QUORUM_GUARD_OVERRIDDEN = "controlplane.cluster.x-k8s.io/etcd-quorum-guard-overridden";

    /**
     * On a control plane Machine that is to be remediated: the quorum guard of its cluster's etcd operator may be overridden
     * until the replacement has joined; any value. {@code spec.remediation.overrideEtcdQuorumGuard} for this Machine alone.
     */
    public static final String OVERRIDE_QUORUM_GUARD = "controlplane.cluster.x-k8s.io/override-etcd-quorum-guard";

    /** On an object converted to an older version: what that version has no field for, as JSON. Never copied to others. */
    public static final String CONVERSION_DATA = "cluster.x-k8s.io/conversion-data";

    /**
     * On an object in v1beta1 that was converted without all that its older form carried: a reason of
     * {@link io.capoa.api.conversion.ConversionLoss}, a colon and a sentence. Users remove it when they have corrected the
     * object.
     */
    public static final String CONVERSION_LOSS = "conversion.openshiftassisted.cluster.x-k8s.io/incomplete";

    private static final String OLDER_VERSION_DATA = ".conversion.openshiftassisted.cluster.x-k8s.io/data";

    /** On the objects of a dry run by Cluster API's topology controller. */
    public static final String TOPOLOGY_DRY_RUN = "topology.cluster.x-k8s.io/dry-run";

    /** On a Cluster, set by Cluster API core: the version of the current step of an upgrade over several minor versions. */
    public static final String TOPOLOGY_UPGRADE_STEP = "topology.internal.cluster.x-k8s.io/upgrade-step";

    /**
     * On a config or control plane: JSON ignition of version 3.1.0 or 3.2.0 for the discovery boot, copied to
     * {@code InfraEnv.spec.ignitionConfigOverride}.
     */
    public static final String DISCOVERY_IGNITION_OVERRIDE =
            "openshiftassistedconfig.cluster.x-k8s.io/discovery-ignition-override";

    /**
     * On a config or control plane: JSON ignition (3.2 or older) for the installed host, merged into
     * {@code Agent.spec.ignitionConfigOverrides}; it wins over what the provider generates.
     */
    public static final String IGNITION_OVERRIDE = "openshiftassistedconfig.cluster.x-k8s.io/ignition-override";

    /**
     * On a control plane: image repository, without tag, that the release image is taken from in place of the public
     * one, for installation and upgrade.
     */
    public static final String RELEASE_IMAGE_REPOSITORY_OVERRIDE = "cluster.x-k8s.io/release-image-repository-override";

    /** On a control plane: JSON that is merged into the install-config of the cluster. */
    public static final String INSTALL_CONFIG_OVERRIDE = "controlplane.cluster.x-k8s.io/install-config-override";

    /**
     * On a control plane whose installation has failed: any value that was not there before makes the provider delete
     * and recreate what it was installed from, and the Machines, so that their hosts start over. The AgentClusterInstall
     * carries the value that it was made under.
     */
    public static final String RETRY_INSTALL = "controlplane.cluster.x-k8s.io/retry-install";

    /**
     * On a control plane: release that its cluster runs and may leave for the lower one in {@code spec.distributionVersion}.
     */
    public static final String ROLLBACK_FROM = "controlplane.cluster.x-k8s.io/rollback-from";

    /**
     * Begins annotations of a control plane that accept a blocking finding about its cloud controller manager: followed by
     * the finding's ID, with the user's reason as value.
     */
    public static final String ACCEPT_CCM_FINDING = "controlplane.cluster.x-k8s.io/accept-ccm-finding-";

    /**
     * On a control plane: names of blocking findings of the plan, separated by commas, with which the user wants to install
     * nevertheless.
     */
    public static final String ACCEPT_PLAN_FINDINGS = "controlplane.cluster.x-k8s.io/accept-plan-findings";

    /**
     * On a control plane: release in {@code spec.distributionVersion} to which its cluster may be upgraded although it
     * reports a failure of the present one.
     */
    public static final String UPGRADE_WITH_WARNINGS = "controlplane.cluster.x-k8s.io/upgrade-with-warnings";

    /**
     * On a control plane Machine, unless it is the only one: its node is drained only when its healthy etcd member need not
     * stay any longer, which is when its replacement has joined (Cluster API, "machine deletion phase hooks"). The
     * control-plane provider sets it and takes it away.
     */
    public static final String PRE_DRAIN_HOOK = "pre-drain.delete.hook.machine.cluster.x-k8s.io/capoa";

    /**
     * On a control plane Machine: its host is released only when its node and its etcd member are gone (Cluster API,
     * "machine deletion phase hooks"). The control-plane provider sets it and takes it away.
     */
    public static final String PRE_TERMINATE_HOOK = "pre-terminate.delete.hook.machine.cluster.x-k8s.io/capoa";

    /** Annotations of a Machine whose names begin so keep its infrastructure from being deleted. */
    public static final String PRE_TERMINATE_HOOK_PREFIX = "pre-terminate.delete.hook.machine.cluster.x-k8s.io";

    /**
     * On a control plane Machine, or on the control plane for all of them: if present, the host is released without asking
     * the installed cluster about its node and etcd member. For clusters whose API is lost for good.
     */
    public static final String SKIP_ETCD_REMOVAL = "controlplane.cluster.x-k8s.io/skip-etcd-removal";

    /**
     * On a control plane Machine: the control-plane provider asks the bootstrap provider to power off its host, for good,
     * before its Node and etcd member are removed. Condition HostPoweredOff of the Machine's config is the answer. With
     * value {@link #UNHEALTHY} no Machine is to take the host again.
     */
    public static final String POWER_OFF_HOST = "controlplane.cluster.x-k8s.io/power-off-host";

    /** Value of {@link #POWER_OFF_HOST}. */
    public static final String UNHEALTHY = "unhealthy";

    /** On a control plane: the hosts of its unhealthy Machines may be taken again; any value. */
    public static final String REUSE_UNHEALTHY_HOSTS = "controlplane.cluster.x-k8s.io/reuse-unhealthy-hosts";

    /** On a BareMetalHost: no Machine takes it, until the annotation is removed; any value. */
    public static final String HOST_UNHEALTHY = "capm3.metal3.io/unhealthy";

    /** {@link #HOST_UNHEALTHY} for releases of Cluster API Provider Metal3 that serve v1beta1 alone. */
    public static final String OLDER_HOST_UNHEALTHY = "capi.metal3.io/unhealthy";

    /** On a control plane Machine: the user has made sure that its host is off, and stays off; any value. */
    public static final String HOST_IS_OFF = "controlplane.cluster.x-k8s.io/host-is-off";

    /**
     * On a control plane: how many names of Machines that were made after the installation are used up. The provider counts
     * it up; a name is never given twice.
     */
    public static final String LATER_NAMES_USED = "controlplane.cluster.x-k8s.io/later-machine-names-used";

    /**
     * On a MachineHealthCheck: {@link #PAUSED} is the control-plane provider's, which takes both away after the upgrade of
     * the cluster; names the control plane. On a MachineConfigPool of an installed cluster: so is its pause.
     */
    public static final String PAUSED_FOR_UPGRADE = "controlplane.cluster.x-k8s.io/paused-for-upgrade";

    /**
     * On the ClusterVersion of an installed cluster: {@code spec.desiredUpdate} as the control-plane provider wrote it. A
     * request that still says the same may be taken back; any other is another client's.
     */
    public static final String REQUESTED_UPDATE = "controlplane.cluster.x-k8s.io/requested-update";

    /** On an AgentClusterInstall: JSON that assisted-service merges into the install-config. */
    public static final String ACI_INSTALL_CONFIG_OVERRIDES = "agent-install.openshift.io/install-config-overrides";

    /**
     * On a control plane Machine: the role of its host in the installation, {@code master} or {@code arbiter}; the
     * latter also on its config.
     */
    public static final String BMAC_ROLE = "bmac.agent-install.openshift.io/role";

    /** On a BareMetalHost: settings of its Agent that only assisted-service's bare-metal agent controller reads. */
    public static final Set<String> BMAC_SETTINGS = Set.of(
            "bmac.agent-install.openshift.io/hostname",
            "bmac.agent-install.openshift.io/ignition-config-overrides",
            "bmac.agent-install.openshift.io/installer-args",
            "bmac.agent-install.openshift.io/machine-config-pool");

    /** On a Metal3Machine or Machine: {@code namespace/name} of the BareMetalHost that was chosen for it. */
    public static final String BARE_METAL_HOST = "metal3.io/BareMetalHost";

    /**
     * On a config: any value that was not there before has the host of its Machine rebooted, once, by baremetal-operator.
     * For a host that was booted while the installation took no further host, and so never registered.
     */
    public static final String REBOOT_HOST = "bootstrap.cluster.x-k8s.io/reboot-host";

    /**
     * On a BareMetalHost: the UID of the config that its last reboot was asked for, a slash, and the value of
     * {@link #REBOOT_HOST} that asked for it, or {@code automatic}. Written together with {@link #HOST_REBOOT}, so that no
     * reboot is asked for twice.
     */
    public static final String REBOOTED_FOR = "bootstrap.cluster.x-k8s.io/rebooted-for";

    /**
     * On a BareMetalHost: baremetal-operator takes the power away, removes the annotation and powers the host on again. In
     * the form with a key behind a slash, {@code reboot.metal3.io/key}, the host stays off until the one that wrote it
     * removes it.
     */
    public static final String HOST_REBOOT = "reboot.metal3.io";

    /**
     * On a BareMetalHost: as long as it is there, baremetal-operator manages the host no more, neither its power nor what
     * it boots from. A host that is detached is not deprovisioned either.
     */
    public static final String HOST_DETACHED = "baremetalhost.metal3.io/detached";

    /** On a BareMetalHost: {@link #HOST_DETACHED} is the bootstrap provider's, which takes it back; names the config. */
    public static final String DETACHED_FOR = "bootstrap.cluster.x-k8s.io/detached-for";

    /** On a BareMetalHost: baremetal-operator leaves it alone altogether. */
    public static final String HOST_PAUSED = "baremetalhost.metal3.io/paused";

    private Annotations() {}

    /** On an object converted from an older version: what v1beta1 has no field for, as JSON. Never copied to others. */
    public static String olderVersionData(String version) {
        return version + OLDER_VERSION_DATA;
    }

    /** Value of an annotation of an object; {@code null} if it does not have it. */
    public static @Nullable String value(HasMetadata object, String name) {
        Map<String, String> all = object.getMetadata().getAnnotations();
        return all == null ? null : all.get(name);
    }

    /** Whether an object has an annotation, of whatever value. */
    public static boolean has(HasMetadata object, String name) {
        return value(object, name) != null;
    }
}
