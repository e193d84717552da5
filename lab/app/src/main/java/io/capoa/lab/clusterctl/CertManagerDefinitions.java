package io.capoa.lab.clusterctl;

import io.capoa.lab.cluster.ClusterException;
import io.capoa.lab.cluster.GoModule;
import java.nio.file.Files;
import java.nio.file.Path;

/** cert-manager's CRDs from its pinned module; clusterctl considers cert-manager installed if they exist. */
public final class CertManagerDefinitions {

    private CertManagerDefinitions() {}

    /** Folder of the YAML files. */
    public static Path folder(Path root) {
        Path folder = GoModule.certManager(root).files().resolve("deploy").resolve("crds");
        if (!Files.isDirectory(folder)) {
            throw new ClusterException("cert-manager's module has no folder %s.".formatted(folder));
        }
        return folder;
    }
}
