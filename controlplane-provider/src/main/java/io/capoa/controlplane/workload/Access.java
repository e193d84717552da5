package io.capoa.controlplane.workload;

import io.fabric8.kubernetes.api.model.NamedCluster;
import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Opens an installed cluster with a kubeconfig. Of that only data is used that stands in it: whoever may write the
 * Secret must not be able to run a command in this process or to read its files.
 */
final class Access {

    private static final int PATIENCE_MILLIS = 10_000;

    private Access() {}

    /**
     * A client that asks once and gives up after ten seconds; to be closed.
     *
     * @param kubeconfig base64, as a Secret holds it
     * @throws IllegalArgumentException if it names no server or wants what is not allowed; the message has no content
     */
    static KubernetesClient open(String kubeconfig) {
        return new KubernetesClientBuilder().withConfig(config(kubeconfig)).build();
    }

    static Config config(String kubeconfig) {
        io.fabric8.kubernetes.api.model.Config file;
        try {
            file = Serialization.unmarshal(
                    new String(Base64.getDecoder().decode(kubeconfig), StandardCharsets.UTF_8),
                    io.fabric8.kubernetes.api.model.Config.class);
        } catch (RuntimeException unreadable) {
            throw new IllegalArgumentException("the kubeconfig cannot be read");
        }
        var context = first(
                file.getContexts().stream()
                        .filter(c -> c.getName().equals(file.getCurrentContext()))
                        .map(NamedContext::getContext)
                        .toList(),
                "current context");
        var cluster = first(
                file.getClusters().stream()
                        .filter(c -> c.getName().equals(context.getCluster()))
                        .map(NamedCluster::getCluster)
                        .toList(),
                "cluster");
        var user = first(
                file.getUsers().stream()
                        .filter(u -> u.getName().equals(context.getUser()))
                        .map(u -> u.getUser())
                        .toList(),
                "user");
        if (cluster.getServer() == null || !cluster.getServer().startsWith("https://")) {
            throw new IllegalArgumentException("the kubeconfig names no https server");
        }
        Config config = Config.empty();
        ConfigBuilder builder = new ConfigBuilder(config)
                .withMasterUrl(cluster.getServer())
                .withCaCertData(cluster.getCertificateAuthorityData())
                .withClientCertData(user.getClientCertificateData())
                .withClientKeyData(user.getClientKeyData())
                .withOauthToken(user.getToken())
                .withNamespace(null)
                .withRequestTimeout(PATIENCE_MILLIS)
                .withConnectionTimeout(PATIENCE_MILLIS)
                .withRequestRetryBackoffLimit(0);
        if (isEllipticPkcs8(user.getClientKeyData())) {
            builder.withClientKeyAlgo("EC");
        }
        return builder.build();
    }

    /** A PKCS#8 key of an elliptic curve is not told from an RSA key by its heading, but by its algorithm. */
    private static boolean isEllipticPkcs8(@Nullable String keyData) {
        if (keyData == null) {
            return false;
        }
        String pem = new String(Base64.getMimeDecoder().decode(keyData), StandardCharsets.US_ASCII);
        if (!pem.contains("BEGIN PRIVATE KEY")) {
            return false;
        }
        byte[] der = Base64.getMimeDecoder().decode(pem.replaceAll("-----[A-Z ]+-----", ""));
        return new String(der, StandardCharsets.ISO_8859_1).contains("*\u0086H\u00ce=\u0002\u0001");
    }

    private static <T> T first(List<T> found, String what) {
        if (found.isEmpty() || found.getFirst() == null) {
            throw new IllegalArgumentException("the kubeconfig has no " + what);
        }
        return found.getFirst();
    }
}
