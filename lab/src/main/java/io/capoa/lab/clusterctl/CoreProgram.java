package io.capoa.lab.clusterctl;

import io.capoa.lab.cluster.Binaries;
import io.capoa.lab.cluster.Tool;
import io.capoa.lab.pods.Program;
import java.util.List;

/** Cluster API core's manager, as a node without containers runs it. */
public final class CoreProgram {

    /**
     * Core finds the namespace of its election in a file at a fixed place inside of a container, and takes it from
     * nowhere else: there is one of it here, and it needs no election. The last flag wins.
     */
    private static final String WITHOUT_ELECTION = "exec \"$0\" \"$@\" --leader-elect=false";

    private CoreProgram() {}

    /** What stands in for its image; built where it is missing. */
    public static Program of(Binaries binaries) {
        return Program.of(
                CoreRelease.IMAGE.substring(CoreRelease.IMAGE.indexOf('/') + 1),
                List.of(
                        "/bin/sh",
                        "-c",
                        WITHOUT_ELECTION,
                        binaries.require(Tool.CLUSTER_API_CORE).toString()),
                "--webhook-port=9443",
                "--webhook-cert-dir=/tmp/k8s-webhook-server/serving-certs",
                "--health-addr=:9440",
                "--diagnostics-address=:8443");
    }
}
