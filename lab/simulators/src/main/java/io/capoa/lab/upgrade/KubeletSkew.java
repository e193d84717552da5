package io.capoa.lab.upgrade;

import java.util.Collection;
import java.util.Optional;

/** How far kubelets may lag behind the API server of the next minor release. */
public final class KubeletSkew {

    private static final int EVEN_LAG = 2;
    private static final int ODD_LAG = 1;

    private KubeletSkew() {}

    /** The condition of operator kube-apiserver if kubelets are too old for the next minor release; else empty. */
    public static Optional<Condition> blocker(String running, String apiServer, Collection<String> kubelets) {
        Optional<Version> release = Version.of(running);
        Optional<Version> server = Version.of(apiServer);
        if (release.isEmpty() || server.isEmpty()) {
            return Optional.empty();
        }
        int allowed = (release.get().minor() + 1) % 2 == 0 ? EVEN_LAG : ODD_LAG;
        int oldest = server.get().minor() + 1 - allowed;
        boolean tooOld = kubelets.stream()
                .flatMap(kubelet -> Version.of(kubelet).stream())
                .anyMatch(kubelet -> kubelet.minor() < oldest);
        return tooOld
                ? Optional.of(Condition.no(
                        "Upgradeable",
                        "KubeletMinorVersion_KubeletMinorVersionUnsupportedNextUpgrade",
                        "Kubelet minor versions on some nodes will not be supported in the next OpenShift minor version"
                                + " upgrade."))
                : Optional.empty();
    }
}
