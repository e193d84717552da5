package io.capoa.lab.manager;

import io.capoa.lab.cluster.ProjectRoot;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.WebhookClientConfigBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;

/** The webhook configurations in {@code config/} with URLs, because there is no Service network. */
final class AdmissionConfigurations {

    private AdmissionConfigurations() {}

    /**
     * The configuration of a provider.
     *
     * @param server where the webhooks are
     * @param authorities CA certificates in PEM, in Base64
     */
    static ValidatingWebhookConfiguration at(String server, String provider, String authorities) throws IOException {
        var configuration = Serialization.unmarshal(
                Files.readString(
                        ProjectRoot.find().resolve("config/" + provider + "/webhook/validating_webhooks.yaml")),
                ValidatingWebhookConfiguration.class);
        configuration.getMetadata().setAnnotations(Map.of());
        configuration.getWebhooks().forEach(webhook -> {
            var path = webhook.getClientConfig().getService().getPath();
            webhook.setClientConfig(new WebhookClientConfigBuilder()
                    .withUrl(server + path)
                    .withCaBundle(authorities)
                    .build());
        });
        return configuration;
    }
}
