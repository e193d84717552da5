package io.capoa.runtime.manager;

/**
 * Identity of a manager.
 *
 * @param name {@code bootstrap} or {@code controlplane}: part of the command name, the user agent and the field manager
 * @param leaderElectionId name of the Lease that the replicas of this manager compete for
 * @param defaultNamespace where that Lease lives when neither a flag, the service account nor the kubeconfig names one
 */
public record ManagerDescription(String name, String leaderElectionId, String defaultNamespace) {

    /** {@code capoa-<name>}: field manager of every write and first half of the user agent. */
    public String fieldManager() {
        return "capoa-" + name;
    }

    /** The version in the jar's manifest; {@code dev} when run from class files. */
    public String version() {
        var version = ManagerDescription.class.getPackage().getImplementationVersion();
        return version == null ? "dev" : version;
    }

    /** {@code capoa-<name>/<version>}, as the API server's audit log and metrics show it. */
    public String userAgent() {
        return fieldManager() + "/" + version();
    }
}
