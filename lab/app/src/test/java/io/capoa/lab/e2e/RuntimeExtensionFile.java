package io.capoa.lab.e2e;

import static org.awaitility.Awaitility.await;

import io.capoa.api.contract.ConditionView;
import io.capoa.api.contract.ExtensionConfig;
import io.capoa.lab.cluster.ProjectRoot;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;

/** The ExtensionConfig of the release. It names the webhook's address, because the lab has no DNS for Services. */
final class RuntimeExtensionFile {

    private static final String FILE = "config/controlplane/runtime-extension/extension_config.yaml";

    private RuntimeExtensionFile() {}

    /** Registers the control-plane provider for one namespace; other suites share the lab. */
    static void register(RealLab lab, String namespace) throws IOException {
        ExtensionConfig config =
                Serialization.unmarshal(Files.readString(ProjectRoot.find().resolve(FILE)), ExtensionConfig.class);
        String service = config.get("spec", "clientConfig", "service", "name");
        String of = config.get("spec", "clientConfig", "service", "namespace");
        Map<String, Object> spec = Map.of(
                "clientConfig",
                Map.of("url", "https://127.0.0.1:" + port(lab, of, service)),
                "namespaceSelector",
                Map.of("matchLabels", Map.of("kubernetes.io/metadata.name", namespace)));
        config.setAdditionalProperty("spec", spec);
        create(lab, config);
    }

    /** Creates an ExtensionConfig and waits until its handlers are known. */
    static void create(RealLab lab, ExtensionConfig config) {
        lab.admin().resource(config).create();
        await().atMost(RealLab.SOON)
                .until(() -> ConditionView.isTrue(
                        lab.admin()
                                .resources(ExtensionConfig.class)
                                .withName(config.getMetadata().getName())
                                .require(),
                        "Discovered"));
    }

    private static int port(RealLab lab, String namespace, String service) {
        return lab
                .admin()
                .discovery()
                .v1()
                .endpointSlices()
                .inNamespace(namespace)
                .withLabel("kubernetes.io/service-name", service)
                .list()
                .getItems()
                .stream()
                .flatMap(slice -> slice.getPorts().stream())
                .findFirst()
                .orElseThrow()
                .getPort();
    }
}
