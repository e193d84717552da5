package io.capoa.lab.assisted;

import io.capoa.lab.controller.Key;
import io.capoa.lab.workload.Workload;
import java.util.Map;

/** Installs hosts in the lab's own process, in one step, instead of their agents. */
@FunctionalInterface
public interface HostInstaller {

    /**
     * Installs a host; its Node has joined when this returns.
     *
     * @param agent key of its Agent
     * @param hostname name of its Node
     */
    void install(Key agent, String hostname, Map<String, Object> nodeLabels, Workload workload);
}
