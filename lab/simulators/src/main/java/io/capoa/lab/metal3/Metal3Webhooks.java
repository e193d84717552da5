package io.capoa.lab.metal3;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.capoa.api.contract.Fields;
import io.capoa.lab.certificates.SelfSigned;
import io.capoa.lab.cluster.ClusterException;
import io.capoa.lab.cluster.ManifestFiles;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.WebhookClientConfig;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The webhooks of a CAPM3 that runs as a process: it always serves them ({@code --webhook-port=0} means its default
 * port) and exits without a certificate. Replaces the Service in its webhook configurations and in conversions of its
 * CustomResourceDefinitions by the URL of the process.
 */
final class Metal3Webhooks implements AutoCloseable {

    private static final Set<String> CONFIGURATIONS =
            Set.of("ValidatingWebhookConfiguration", "MutatingWebhookConfiguration");
    private static final String SERVICE = "capm3-";

    private final KubernetesClient admin;
    private final int port;
    private final Path certificates;
    private final String authority;
    private final List<GenericKubernetesResource> applied = new ArrayList<>();

    private Metal3Webhooks(KubernetesClient admin, int port, Path certificates, String authority) {
        this.admin = admin;
        this.port = port;
        this.certificates = certificates;
        this.authority = authority;
    }

    /** Creates a certificate in a new folder; configures nothing yet. */
    static Metal3Webhooks prepare(KubernetesClient admin, int port, Path certificates) {
        try {
            SelfSigned pair = SelfSigned.create("capm3-webhook-service");
            Files.createDirectories(certificates);
            Files.writeString(certificates.resolve("tls.crt"), pair.pem());
            Files.writeString(certificates.resolve("tls.key"), pair.keyPem());
            return new Metal3Webhooks(
                    admin,
                    port,
                    certificates,
                    Base64.getEncoder().encodeToString(pair.pem().getBytes(UTF_8)));
        } catch (IOException | GeneralSecurityException e) {
            throw new ClusterException("Cannot create a certificate for CAPM3's webhooks: " + e.getMessage(), e);
        }
    }

    /** Flags of CAPM3's manager. */
    List<String> flags() {
        return List.of("--webhook-port=" + port, "--webhook-cert-dir=" + certificates);
    }

    /**
     * Configures the API server to call the process, as in the components.
     *
     * @param folder folder with YAML files, of which some may contain webhook configurations
     */
    void callFrom(Path folder) {
        for (Path file : yaml(folder)) {
            for (GenericKubernetesResource object : read(file)) {
                if (CONFIGURATIONS.contains(object.getKind()) && isOwn(object)) {
                    applied.add(object);
                    var unused = admin.resource(object)
                            .fieldManager("lab")
                            .forceConflicts()
                            .serverSideApply();
                }
            }
        }
        admin.apiextensions().v1().customResourceDefinitions().list().getItems().stream()
                .filter(Metal3Webhooks::isConvertedByService)
                .forEach(this::convertHere);
    }

    /** Whether all webhooks are CAPM3's; sets their URL in that case. */
    private boolean isOwn(GenericKubernetesResource configuration) {
        boolean own = false;
        for (Object webhook : Fields.list(configuration, "webhooks")) {
            if (Fields.any(webhook, "clientConfig") instanceof Map<?, ?> config
                    && Fields.any(config, "service", "name") instanceof String service
                    && service.startsWith(SERVICE)) {
                point(config, Fields.any(config, "service", "path") instanceof String path ? path : "/");
                own = true;
            }
        }
        return own;
    }

    @SuppressWarnings("unchecked")
    private void point(Map<?, ?> config, String path) {
        Map<String, Object> changed = (Map<String, Object>) config;
        changed.remove("service");
        changed.put("url", url(path));
        changed.put("caBundle", authority);
    }

    private static boolean isConvertedByService(CustomResourceDefinition definition) {
        WebhookClientConfig config = conversion(definition);
        return config != null
                && config.getService() != null
                && config.getService().getName().startsWith(SERVICE);
    }

    private static @org.jspecify.annotations.Nullable WebhookClientConfig conversion(
            CustomResourceDefinition definition) {
        var conversion = definition.getSpec().getConversion();
        return conversion == null || conversion.getWebhook() == null
                ? null
                : conversion.getWebhook().getClientConfig();
    }

    /** Whatever else about the definition changes meanwhile, such as its status. */
    private void convertHere(CustomResourceDefinition definition) {
        WebhookClientConfig config = Objects.requireNonNull(conversion(definition));
        Map<String, Object> here = new HashMap<>();
        here.put("service", null);
        here.put("url", url(String.valueOf(config.getService().getPath())));
        here.put("caBundle", authority);
        var unused = admin.resource(definition)
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        Serialization.asJson(Map.of(
                                "spec", Map.of("conversion", Map.of("webhook", Map.of("clientConfig", here))))));
    }

    private String url(String path) {
        return "https://127.0.0.1:" + port + path;
    }

    private static List<Path> yaml(Path folder) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file ->
                            file.toString().endsWith(".yaml") || file.toString().endsWith(".yml"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new ClusterException("Cannot list %s: %s".formatted(folder, e.getMessage()), e);
        }
    }

    private static List<GenericKubernetesResource> read(Path file) {
        try {
            return ManifestFiles.parse(Files.readString(file), file.toString());
        } catch (IOException e) {
            throw new ClusterException("Cannot read %s: %s".formatted(file, e.getMessage()), e);
        }
    }

    /** Removes the configurations. */
    @Override
    public void close() {
        applied.forEach(configuration -> admin.resource(configuration).delete());
    }
}
