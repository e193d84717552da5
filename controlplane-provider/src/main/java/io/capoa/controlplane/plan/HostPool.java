package io.capoa.controlplane.plan;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigSpec;
import io.capoa.api.contract.Metal3Machine;
import io.capoa.api.contract.Metal3MachineView;
import io.capoa.controlplane.plan.PlanFinding.Subject;
import org.jspecify.annotations.Nullable;

/**
 * Machines that take hosts by one template.
 *
 * @param owner control plane or MachineDeployment
 * @param replicas hosts that the installation takes
 * @param surge further hosts that a rollout takes before it gives one back
 * @param spec settings of the hosts; {@code null} if there are none
 * @param specObject the object that has them
 * @param specPath their path in that object
 * @param template of the Metal3Machines
 * @param machine as the template makes it
 */
record HostPool(
        HostRole role,
        Subject owner,
        int replicas,
        int surge,
        @Nullable OpenshiftAssistedConfigSpec spec,
        Subject specObject,
        String specPath,
        Subject template,
        Metal3Machine machine) {

    private static final String USUAL = "x86_64";

    boolean isLiveIso() {
        return Metal3MachineView.of(machine).isLiveIso();
    }

    boolean hasCustomDeploy() {
        return Metal3MachineView.of(machine).hasCustomDeploy();
    }

    /** Architecture that the hosts boot. */
    String architecture() {
        String architecture = spec == null ? null : spec.cpuArchitecture();
        return architecture == null || architecture.isEmpty() ? USUAL : architecture;
    }

    /** What its hosts are for, for people. */
    String described() {
        return role.described() + " of " + owner;
    }
}
