package io.capoa.lab.provider;

import io.capoa.lab.cluster.KnownUsers;
import java.nio.file.Path;

/** One of the two programs that this project is about, as it is built. */
public enum Provider {
    BOOTSTRAP("bootstrap-provider", KnownUsers.BOOTSTRAP_PROVIDER),
    CONTROL_PLANE("controlplane-provider", KnownUsers.CONTROL_PLANE_PROVIDER);

    private final String module;
    private final String user;

    Provider(String module, String user) {
        this.module = module;
        this.user = user;
    }

    /** Folder of the module and name of the program. */
    public String module() {
        return module;
    }

    /** Who the program is on the management cluster. */
    public String user() {
        return user;
    }

    /** The runnable jar in a checkout. */
    public Path jar(Path root) {
        return root.resolve(module).resolve("target").resolve(module + ".jar");
    }
}
