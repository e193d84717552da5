package io.capoa.lab.clusterctl;

import io.capoa.lab.cluster.ClusterException;
import io.capoa.lab.cluster.GoModule;
import java.nio.file.Files;
import java.nio.file.Path;

/** cert-manager's CRDs, read from its pinned module: clusterctl takes a cluster that has them to have cert-manager. */
public final class CertManagerDefinitions {

    private CertManagerDefinitions() {}

    /** Folder of their YAML files. */
    public static Path folder(Path root) {
        Path folder = GoModule.certManager(root).files().resolve("deploy").resolve("crds");
        if (!Files.isDirectory(folder)) {
            throw new ClusterException("cert-manager's module has no folder %s.".formatted(folder));
        }
        return folder;
    }
}
