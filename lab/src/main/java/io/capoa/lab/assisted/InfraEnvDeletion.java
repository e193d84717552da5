package io.capoa.lab.assisted;

/** How releases of assisted-service differ in the deletion of InfraEnvs and Agents. */
public enum InfraEnvDeletion {

    /**
     * Recent releases: an InfraEnv goes at once, whatever its hosts do, and owns its Agents, which are garbage collected.
     * An Agent whose host is not installed goes without a look at the cluster's nodes.
     */
    AT_ONCE,

    /**
     * Older releases: an InfraEnv is kept while one of its hosts is bound and not installed, which is looked at again with
     * growing pauses and not when an Agent changes. It does not own its Agents. An Agent is kept until its node has been
     * deleted, with the kubeconfig of the cluster, which there is not before the installation: unless annotation
     * {@code agent.agent-install.openshift.io/skip-spoke-cleanup} is on it, or its cluster is being deleted.
     */
    AFTER_HOSTS
}
