package io.capoa.controlplane.workload.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.capoa.api.untrusted.LongInput;
import io.capoa.api.untrusted.UntrustedContent;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Server and credentials of a kubeconfig's current context. Only inline data is used: a tenant who may write the Secret
 * must not be able to run a command in this process or read its files. YAML aliases are not followed, because a few of
 * them can expand beyond the memory.
 */
public record WorkloadKubeconfig(
        String server,
        @Nullable String authority,
        @Nullable String certificate,
        @Nullable String key,
        @Nullable String token) {

    private static final ObjectMapper YAML = UntrustedContent.yaml();

    /**
     * Reads a kubeconfig.
     *
     * @param kubeconfig base64, as a Secret holds it
     * @throws IllegalArgumentException if it names no server; the message has no content
     */
    public static WorkloadKubeconfig parse(String kubeconfig) {
        return LongInput.parse(kubeconfig.length(), () -> parsed(kubeconfig));
    }

    private static WorkloadKubeconfig parsed(String kubeconfig) {
        if (kubeconfig.isEmpty()) {
            throw new IllegalArgumentException("the kubeconfig is empty or longer than 192 KiB");
        }
        JsonNode file;
        try {
            file = YAML.readTree(new String(Base64.getDecoder().decode(kubeconfig), StandardCharsets.UTF_8));
        } catch (IOException | RuntimeException unreadable) {
            throw new IllegalArgumentException("the kubeconfig cannot be read", unreadable);
        }
        if (file == null) {
            throw new IllegalArgumentException("the kubeconfig is empty");
        }
        JsonNode context = named(file, "contexts", "context", text(file, "current-context"), "current context");
        JsonNode cluster = named(file, "clusters", "cluster", text(context, "cluster"), "cluster");
        JsonNode user = named(file, "users", "user", text(context, "user"), "user");
        String server = text(cluster, "server");
        if (server == null || !server.startsWith("https://")) {
            throw new IllegalArgumentException("the kubeconfig names no https server");
        }
        return new WorkloadKubeconfig(
                server,
                text(cluster, "certificate-authority-data"),
                text(user, "client-certificate-data"),
                text(user, "client-key-data"),
                text(user, "token"));
    }

    private static JsonNode named(JsonNode file, String list, String field, @Nullable String name, String what) {
        for (JsonNode entry : file.path(list)) {
            if (name != null
                    && name.equals(text(entry, "name"))
                    && entry.path(field).isObject()) {
                return entry.path(field);
            }
        }
        throw new IllegalArgumentException("the kubeconfig has no " + what);
    }

    private static @Nullable String text(JsonNode node, String field) {
        String text = node.path(field).asText("");
        return text.isEmpty() ? null : text;
    }

    /** Without what it holds. */
    @Override
    public String toString() {
        return "Kubeconfig[…]";
    }
}
