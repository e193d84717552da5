package io.capoa.lab.clusterctl;

import io.capoa.lab.cluster.Binaries;
import io.capoa.lab.cluster.Tool;
import io.capoa.lab.pods.Program;
import java.util.List;

/** Cluster API core's manager as a program of the node without containers. */
public final class CoreProgram {

    /**
     * Core reads the namespace of its leader election only from a fixed path in the container. Here is one replica,
     * which needs no election. The last flag wins.
     */
    private static final String WITHOUT_ELECTION = "exec \"$0\" \"$@\" --leader-elect=false";

    private CoreProgram() {}

    /** The program for its image, built if necessary. */
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
