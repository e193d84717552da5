package io.capoa.api;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Labels that are part of an API: ours, Cluster API's and assisted-service's. */
public final class Labels {

    /**
     * Name of the Cluster an object belongs to, on every object we create; Cluster API's cached clients see only Secrets
     * that carry it.
     */
    public static final String CLUSTER_NAME = "cluster.x-k8s.io/cluster-name";

    /** Marks a control plane Machine and what belongs to it; the value is empty (control plane contract, "machines"). */
    public static final String CONTROL_PLANE = "cluster.x-k8s.io/control-plane";

    /** Name of the control plane object, or a hash of it where the name is no valid label value. */
    public static final String CONTROL_PLANE_NAME = "cluster.x-k8s.io/control-plane-name";

    /** Marks an object that Cluster API's topology controller writes; the value is empty. */
    public static final String TOPOLOGY_OWNED = "topology.cluster.x-k8s.io/owned";

    /** Name of the MachineDeployment a worker Machine belongs to; Cluster API sets it. */
    public static final String DEPLOYMENT_NAME = "cluster.x-k8s.io/deployment-name";

    /** Name of the MachineSet a worker Machine belongs to; Cluster API sets it. */
    public static final String SET_NAME = "cluster.x-k8s.io/set-name";

    /** Chooses the manager that reconciles an object: its value has to equal the manager's {@code --watch-filter}. */
    public static final String WATCH_FILTER = "cluster.x-k8s.io/watch-filter";

    /**
     * On a CustomResourceDefinition: the versions that obey Cluster API's v1beta2 contract, joined by {@code _}; the
     * newest of them is the one that Cluster API talks to.
     */
    public static final String CONTRACT_V1BETA2 = "cluster.x-k8s.io/v1beta2";

    /** On an InfraEnv: name of the OpenshiftAssistedConfig it was made for. */
    public static final String CONFIG_NAME = "bootstrap.cluster.x-k8s.io/openshiftAssistedConfig";

    /** On an Agent: name of the InfraEnv whose boot media the host came up with; assisted-service sets it. */
    public static final String INFRA_ENV = "infraenvs.agent-install.openshift.io";

    /** On an AgentClusterInstall: kind of the controller that uses it, {@link #CONSUMER_CONTROL_PLANE} on ours. */
    public static final String CONSUMER = "agentclusterinstalls.agent-install.openshift.io/consumer";

    /** Value of {@link #CONSUMER} on AgentClusterInstalls that a control plane owns. */
    public static final String CONSUMER_CONTROL_PLANE = "OpenshiftAssistedControlPlane";

    /** On a Secret or ConfigMap: {@code true} makes assisted-service watch it; without it changes go unnoticed. */
    public static final String WATCHED_BY_ASSISTED = "agent-install.openshift.io/watch";

    /**
     * On a Node: UID of the BareMetalHost it runs on, set by the kubelet at registration; Metal3 finds the Node of a
     * Metal3Machine by it and writes the provider ID.
     */
    public static final String METAL3_UUID = "metal3.io/uuid";

    private Labels() {}

    /** Value of a label of an object; {@code null} if it does not have it. */
    public static @Nullable String value(HasMetadata object, String name) {
        Map<String, String> all = object.getMetadata().getLabels();
        return all == null ? null : all.get(name);
    }

    /** Whether an object has a label, of whatever value. */
    public static boolean has(HasMetadata object, String name) {
        return value(object, name) != null;
    }
}
