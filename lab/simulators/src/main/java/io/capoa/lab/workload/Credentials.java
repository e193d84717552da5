package io.capoa.lab.workload;

import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/** The credentials of a simulated cluster, and who proves what with them. */
final class Credentials {

    /** Identity of a request. */
    enum Caller {
        ADMIN,
        KUBELET,
        ANONYMOUS
    }

    private static final SecureRandom RANDOM = new SecureRandom();

    private final String server;
    private final Kubeconfigs kubeconfigs;
    private final String labToken = secret();
    private final String kubeletToken = secret();
    private final String password = secret();
    private @Nullable AdminCertificate adminCertificate;

    Credentials(String server, Kubeconfigs kubeconfigs) {
        this.server = server;
        this.kubeconfigs = kubeconfigs;
    }

    /** Password of {@code kubeadmin}. */
    String password() {
        return password;
    }

    /** The administrator's kubeconfig, with a client certificate and its key. */
    String kubeconfig(boolean withIngress) {
        return kubeconfigs.ofAdministrator(server, adminCertificate(), withIngress);
    }

    /** The kubeconfig with which a kubelet joins. */
    String kubeletKubeconfig() {
        return kubeconfigs.ofToken(server, kubeletToken);
    }

    /** A kubeconfig of the lab's own, with a token and the rights of the administrator. */
    String labKubeconfig() {
        return kubeconfigs.ofToken(server, labToken);
    }

    /**
     * Identifies the sender of a request, by certificate first, as kube-apiserver does.
     *
     * @param certificate of the client; its key is proven, its signer is not
     * @param authorization the header; empty if there is none
     */
    Caller caller(@Nullable X509Certificate certificate, String authorization) {
        if (certificate != null && adminCertificate().identifies(certificate)) {
            return Caller.ADMIN;
        }
        if (authorization.equals("Bearer " + labToken)) {
            return Caller.ADMIN;
        }
        return authorization.equals("Bearer " + kubeletToken) ? Caller.KUBELET : Caller.ANONYMOUS;
    }

    /** Created on first use, because the first of the process takes some hundred milliseconds. */
    private synchronized AdminCertificate adminCertificate() {
        if (adminCertificate == null) {
            adminCertificate = new AdminCertificate();
        }
        return adminCertificate;
    }

    private static String secret() {
        byte[] bytes = new byte[24];
        RANDOM.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}
