package io.capoa.lab.workload;

import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * Writes kubeconfig files.
 *
 * @param serverAuthority PEM of the CA of the API's certificate
 * @param ingressAuthority PEM of the CA of the routers' certificate
 */
record Kubeconfigs(String serverAuthority, String ingressAuthority) {

    private static final String TEMPLATE = """
            apiVersion: v1
            kind: Config
            clusters:
            - name: cluster
              cluster:
                server: "SERVER"
                certificate-authority-data: AUTHORITY
            users:
            - name: admin
              user:
            CREDENTIALS
            contexts:
            - name: admin
              context:
                cluster: cluster
                user: admin
            current-context: admin
            """;

    /** With the administrator's certificate. */
    String ofAdministrator(String server, AdminCertificate certificate, boolean withIngress) {
        String authorities = withIngress ? ingressAuthority + serverAuthority : serverAuthority;
        String credentials = "    client-certificate-data: " + encode(certificate.pem()) + "\n    client-key-data: "
                + encode(certificate.key());
        return fill(server, authorities, credentials);
    }

    /** With a token. */
    String ofToken(String server, String token) {
        return fill(server, serverAuthority, "    token: \"" + token + "\"");
    }

    private static String fill(String server, String authorities, String credentials) {
        return TEMPLATE.replace("SERVER", server)
                .replace("AUTHORITY", encode(authorities))
                .replace("CREDENTIALS", credentials);
    }

    private static String encode(String pem) {
        return Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.US_ASCII));
    }
}
