package io.capoa.lab.certmanager;

import io.capoa.lab.cluster.SharedCluster;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** One stand-in for cert-manager per API server: two would overwrite each other's certificates. */
public final class SharedCertManager implements BeforeAllCallback {

    private static final ExtensionContext.Namespace STORE = ExtensionContext.Namespace.create(SharedCertManager.class);

    @Override
    public void beforeAll(ExtensionContext context) {
        startOnce(context);
    }

    /** Starts it unless it runs; it ends with the run. */
    public static void startOnce(ExtensionContext context) {
        var unused = context.getRoot()
                .getStore(STORE)
                .computeIfAbsent(
                        CertManager.class, key -> CertManager.start(SharedCluster.of(context)), CertManager.class);
    }
}
