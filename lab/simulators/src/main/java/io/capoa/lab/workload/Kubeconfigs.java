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
                token: "TOKEN"
            contexts:
            - name: admin
              context:
                cluster: cluster
                user: admin
            current-context: admin
            """;

    String of(String server, String token, boolean withIngress) {
        String authorities = withIngress ? ingressAuthority + serverAuthority : serverAuthority;
        String encoded = Base64.getEncoder().encodeToString(authorities.getBytes(StandardCharsets.US_ASCII));
        return TEMPLATE.replace("SERVER", server).replace("AUTHORITY", encoded).replace("TOKEN", token);
    }
}
