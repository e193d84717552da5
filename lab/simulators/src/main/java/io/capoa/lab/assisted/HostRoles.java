package io.capoa.lab.assisted;

import java.util.List;

/** Assigns roles to hosts at the start of an installation. */
final class HostRoles {

    private HostRoles() {}

    /** Sets role and stages of each host; hosts without a requested role get a missing one. */
    static void assign(List<HostRecord> hosts, Requirements requirements) {
        long masters = hosts.stream()
                .filter(h -> h.wish.role().equals(InstallInputs.MASTER))
                .count();
        boolean bootstrapFound = false;
        for (HostRecord host : hosts) {
            synchronized (host) {
                String role = host.wish.role();
                if (!InstallInputs.isRole(role)) {
                    role = masters < requirements.controlPlanes() ? InstallInputs.MASTER : InstallInputs.WORKER;
                    masters += role.equals(InstallInputs.MASTER) ? 1 : 0;
                }
                host.role = role;
                host.bootstrap = role.equals(InstallInputs.MASTER) && !bootstrapFound;
                bootstrapFound |= host.bootstrap;
                host.stages = stages(host, requirements);
                host.enter(HostState.PREPARING);
            }
        }
    }

    private static List<String> stages(HostRecord host, Requirements requirements) {
        if (requirements.isSingleNode()) {
            return Stages.SINGLE_NODE;
        }
        if (host.bootstrap) {
            return Stages.BOOTSTRAP;
        }
        return host.role.equals(InstallInputs.WORKER) ? Stages.WORKER : Stages.MASTER;
    }
}
