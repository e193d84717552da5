package io.capoa.lab.assisted;

import io.capoa.lab.workload.Json;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads and validates pull secrets, and labels them as watched by the service. */
final class PullSecretChecks {

    private static final String KEY = ".dockerconfigjson";
    private static final String WATCHED = "agent-install.openshift.io/watch";

    /** An invalid pull secret; the message never contains its content. */
    static final class Unusable extends Exception {
        private static final long serialVersionUID = 1L;

        Unusable(String message) {
            super(message);
        }
    }

    private final KubernetesClient client;

    PullSecretChecks(KubernetesClient client) {
        this.client = client;
    }

    /** The secret's JSON. */
    String read(String namespace, @Nullable String name) throws Unusable {
        if (name == null) {
            throw new Unusable("no pull secret is referenced");
        }
        Secret secret = client.secrets().inNamespace(namespace).withName(name).get();
        if (secret == null) {
            throw new Unusable("failed to find secret " + name);
        }
        String encoded = secret.getData() == null ? null : secret.getData().get(KEY);
        if (encoded == null) {
            throw new Unusable("secret " + name + " did not contain key " + KEY);
        }
        String json = new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8);
        check(json);
        Map<String, String> labels = secret.getMetadata().getLabels();
        if (labels == null || !"true".equals(labels.get(WATCHED))) {
            client.resource(secret)
                    .patch(
                            PatchContext.of(PatchType.JSON_MERGE),
                            Json.text(Map.of("metadata", Map.of("labels", Map.of(WATCHED, "true")))));
        }
        return json;
    }

    static void check(String json) throws Unusable {
        Map<String, Object> parsed;
        try {
            parsed = Json.parse(json);
        } catch (IOException e) {
            throw new Unusable("pull secret must be a well-formed JSON");
        }
        if (!(parsed.get("auths") instanceof Map<?, ?> auths) || auths.isEmpty()) {
            throw new Unusable("pull secret must contain 'auths' JSON object");
        }
        for (Map.Entry<?, ?> registry : auths.entrySet()) {
            if (!(registry.getValue() instanceof Map<?, ?> entry) || !(entry.get("auth") instanceof String auth)) {
                throw new Unusable("invalid pull secret: no auth for " + registry.getKey());
            }
            try {
                String plain = new String(Base64.getDecoder().decode(auth), StandardCharsets.UTF_8);
                if (!plain.contains(":")) {
                    throw new Unusable("'auth' for " + registry.getKey() + " is not in the form user:password");
                }
            } catch (IllegalArgumentException e) {
                throw new Unusable("'auth' for " + registry.getKey() + " is not base64");
            }
        }
    }
}
