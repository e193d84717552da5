package io.capoa.lab.assisted;

/** Deletion of InfraEnvs and Agents in different releases of assisted-service. */
public enum InfraEnvDeletion {

    /**
     * Recent releases: an InfraEnv is deleted at once, whatever the state of its hosts, and owns its Agents, which are
     * garbage collected. An Agent whose host is not installed is deleted without checking for a Node.
     */
    AT_ONCE,

    /**
     * Older releases: an InfraEnv is kept while one of its hosts is bound and not installed, which is checked again
     * with back-off and not when an Agent changes. It does not own its Agents. An Agent is kept until its Node has been
     * deleted with the kubeconfig of the cluster, which does not exist before the installation, unless annotation
     * {@code agent.agent-install.openshift.io/skip-spoke-cleanup} is on it, or its cluster is being deleted.
     */
    AFTER_HOSTS
}
