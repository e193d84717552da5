package io.capoa.bootstrap.boot;

import java.util.Map;
import java.util.Optional;
import okhttp3.HttpUrl;

/**
 * Address of assisted-service for this process: the published one of each InfraEnv, or one inside the cluster.
 *
 * @param inCluster whether published addresses are replaced
 * @param baseUrl the replacement, or empty to derive it from the Service's name and namespace
 * @param serviceName the Service
 * @param serviceNamespace its namespace, or empty for that of the InfraEnv
 */
public record AssistedServiceAddress(boolean inCluster, String baseUrl, String serviceName, String serviceNamespace) {

    /** The HTTP port that assisted-service opens inside the cluster for those that do not know its certificate. */
    private static final int PORT = 8090;

    /** As InfraEnvs publish it. */
    public static final AssistedServiceAddress PUBLISHED =
            new AssistedServiceAddress(false, "", "assisted-service", "");

    /**
     * Reads the environment: {@code USE_INTERNAL_IMAGE_URL}, {@code ASSISTED_SERVICE_NAME} and
     * {@code ASSISTED_INSTALLER_NAMESPACE} as the Go provider knows them, and {@code ASSISTED_SERVICE_BASE_URL} for a
     * service at another port or behind TLS.
     *
     * @throws IllegalArgumentException that names the variable at fault
     */
    public static AssistedServiceAddress fromEnvironment(Map<String, String> environment) {
        String base = environment.getOrDefault("ASSISTED_SERVICE_BASE_URL", "");
        if (!base.isEmpty() && HttpUrl.parse(base) == null) {
            throw new IllegalArgumentException("ASSISTED_SERVICE_BASE_URL is not an http or https URL");
        }
        return new AssistedServiceAddress(
                !base.isEmpty() || isInternal(environment.getOrDefault("USE_INTERNAL_IMAGE_URL", "")),
                base,
                Optional.ofNullable(environment.get("ASSISTED_SERVICE_NAME"))
                        .filter(name -> !name.isEmpty())
                        .orElse("assisted-service"),
                environment.getOrDefault("ASSISTED_INSTALLER_NAMESPACE", ""));
    }

    /** As Go's {@code strconv.ParseBool} reads it. */
    private static boolean isInternal(String value) {
        return switch (value) {
            case "1", "t", "T", "TRUE", "true", "True" -> true;
            case "", "0", "f", "F", "FALSE", "false", "False" -> false;
            default -> throw new IllegalArgumentException("USE_INTERNAL_IMAGE_URL takes true or false, not " + value);
        };
    }

    /** The same request at the address that this process is to use. */
    HttpUrl reachable(HttpUrl published, String infraEnvNamespace) {
        if (!inCluster) {
            return published;
        }
        HttpUrl base = HttpUrl.parse(baseUrl);
        HttpUrl.Builder builder = published.newBuilder();
        if (base != null) {
            return builder.scheme(base.scheme())
                    .host(base.host())
                    .port(base.port())
                    .build();
        }
        String namespace = serviceNamespace.isEmpty() ? infraEnvNamespace : serviceNamespace;
        return builder.scheme("http")
                .host(serviceName + "." + namespace + ".svc.cluster.local")
                .port(PORT)
                .build();
    }
}
