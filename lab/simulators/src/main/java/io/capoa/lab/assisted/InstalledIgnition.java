package io.capoa.lab.assisted;

import io.capoa.lab.workload.MachineConfigRelease;
import io.capoa.lab.workload.Workload;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The ignition of an installed host: kubelet, its credentials, and the override of the Agent's spec. */
final class InstalledIgnition {

    private static final int PRIVATE = 0600;
    private static final int READABLE = 0644;
    private static final String KUBELET_UNIT = """
        [Unit]
        Description=Kubernetes Kubelet
        Requires=crio.service
        After=network-online.target crio.service

        [Service]
        Type=notify
        EnvironmentFile=-/etc/kubernetes/kubelet-workaround
        EnvironmentFile=-/etc/kubernetes/kubelet-env
        ExecStart=/usr/bin/kubelet \\
            --config=/etc/kubernetes/kubelet.conf \\
            --bootstrap-kubeconfig=/etc/kubernetes/kubeconfig \\
            --kubeconfig=/var/lib/kubelet/kubeconfig \\
            --node-labels=@ROLES@,node.openshift.io/os_id=rhel@CUSTOM@ \\
            @CLOUD_PROVIDER@--v=2
        Restart=always
        RestartSec=10

        [Install]
        WantedBy=multi-user.target
        """;

    private static final String EXTERNAL_CLOUD_PROVIDER = "--cloud-provider=external ";

    /**
     * Settings of the cluster's nodes.
     *
     * @param schedulable whether control planes run workloads
     * @param externalCloudProvider whether a cloud controller manager initializes the nodes
     */
    record Nodes(boolean schedulable, boolean externalCloudProvider) {}

    private InstalledIgnition() {}

    private static String roles(String role, Nodes nodes) {
        return switch (role) {
            case InstallInputs.MASTER ->
                "node-role.kubernetes.io/control-plane,node-role.kubernetes.io/master"
                        + (nodes.schedulable() ? ",node-role.kubernetes.io/worker" : "");
            case InstallInputs.ARBITER -> "node-role.kubernetes.io/arbiter";
            default -> "node-role.kubernetes.io/worker";
        };
    }

    /** Throws {@link IOException} if the Agent's override is not an ignition config. */
    static Map<String, Object> of(HostRecord host, Workload workload, Nodes nodes) throws IOException {
        HostRecord.Wish wish;
        String role;
        synchronized (host) {
            wish = host.wish;
            role = host.role;
        }
        List<Map<String, Object>> files = new ArrayList<>();
        files.add(IgnitionMaps.file("/etc/kubernetes/kubeconfig", PRIVATE, workload.kubeletKubeconfig()));
        files.add(IgnitionMaps.file(
                MachineConfigRelease.PATH,
                READABLE,
                MachineConfigRelease.text(workload.release().minor())));
        if (!wish.hostname().isEmpty()) {
            files.add(IgnitionMaps.file("/etc/hostname", READABLE, wish.hostname() + "\n"));
        }
        String unit = KUBELET_UNIT
                .replace("@ROLES@", roles(role, nodes))
                // The arbiter's unit has none (machine-config-operator, templates/arbiter).
                .replace("@CUSTOM@", role.equals(InstallInputs.ARBITER) ? "" : ",${CUSTOM_KUBELET_LABELS}")
                .replace("@CLOUD_PROVIDER@", nodes.externalCloudProvider() ? EXTERNAL_CLOUD_PROVIDER : "");
        Map<String, Object> config = IgnitionMaps.config(files, List.of(IgnitionMaps.unit("kubelet.service", unit)));
        return wish.ignition().isEmpty() ? config : IgnitionMaps.override(config, wish.ignition());
    }
}
