package io.capoa.lab.manager;

import io.capoa.lab.cluster.ProjectRoot;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apiextensions.v1.WebhookClientConfigBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The CRDs in {@code crds/}, of the release and as the Go provider would have them. */
public final class VersionedDefinitions {

    private VersionedDefinitions() {}

    /** As released; the conversion has no CA bundle. */
    public static List<CustomResourceDefinition> released() throws IOException {
        return below(ProjectRoot.find().resolve("crds"));
    }

    /** Of the files in a folder. */
    static List<CustomResourceDefinition> below(Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            List<CustomResourceDefinition> definitions = new ArrayList<>();
            for (Path file : files.filter(file -> file.toString().endsWith(".yaml"))
                    .sorted()
                    .toList()) {
                definitions.add(read(file));
            }
            return definitions;
        }
    }

    /** With the older versions alone, of which the newest is stored, and with the Go provider's contract and certificate. */
    public static List<CustomResourceDefinition> ofTheGoProvider() throws IOException {
        List<CustomResourceDefinition> definitions = new ArrayList<>(released());
        definitions.removeIf(definition -> definition.getSpec().getVersions().size() == 1);
        for (CustomResourceDefinition definition : definitions) {
            var versions = new ArrayList<>(definition.getSpec().getVersions());
            versions.removeIf(version -> version.getName().equals("v1beta1"));
            versions.getLast().setStorage(true);
            definition.getSpec().setVersions(versions);
            definition
                    .getMetadata()
                    .setLabels(Map.of(
                            "cluster.x-k8s.io/v1beta1", versions.getFirst().getName(),
                            "cluster.x-k8s.io/v1beta2", versions.getLast().getName()));
            definition
                    .getMetadata()
                    .setAnnotations(Map.of(
                            "cert-manager.io/inject-ca-from",
                            "capoa-%1$s-system/capoa-%1$s-cert".formatted(provider(definition))));
        }
        return definitions;
    }

    /** The provider that serves it: {@code bootstrap} or {@code controlplane}. */
    public static String provider(CustomResourceDefinition definition) {
        return definition.getSpec().getGroup().replaceFirst("[.].*", "");
    }

    /** Replaces the Service by a port of this machine. */
    static CustomResourceDefinition convertedAt(CustomResourceDefinition definition, int port, String authorities) {
        if (definition.getSpec().getConversion() != null) {
            definition
                    .getSpec()
                    .getConversion()
                    .getWebhook()
                    .setClientConfig(new WebhookClientConfigBuilder()
                            .withUrl("https://127.0.0.1:" + port + "/convert")
                            .withCaBundle(authorities)
                            .build());
        }
        return definition;
    }

    private static CustomResourceDefinition read(Path file) throws IOException {
        try (InputStream content = Files.newInputStream(file)) {
            return new KubernetesSerialization().unmarshal(content, CustomResourceDefinition.class);
        }
    }
}
