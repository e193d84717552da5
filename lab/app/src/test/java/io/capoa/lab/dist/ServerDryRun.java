package io.capoa.lab.dist;

import io.fabric8.kubernetes.api.Pluralize;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Server-side dry run with strict field validation. */
record ServerDryRun(KubernetesClient client) {

    private static final KubernetesSerialization YAML = new KubernetesSerialization();

    /**
     * A response.
     *
     * @param warnings warnings of admission
     */
    record Answer(int code, String body, List<String> warnings) {}

    /** Applies the object, as it is or as part of this namespace. */
    Answer apply(GenericKubernetesResource object, @Nullable String namespace) throws Exception {
        String in = namespace == null ? object.getMetadata().getNamespace() : namespace;
        String path = "/%s/%s%s/%s/%s?dryRun=All&force=true&fieldManager=test&fieldValidation=Strict"
                .formatted(
                        object.getApiVersion().contains("/") ? "apis" : "api",
                        object.getApiVersion(),
                        in == null ? "" : "/namespaces/" + in,
                        Pluralize.toPlural(object.getKind().toLowerCase(Locale.ROOT)),
                        object.getMetadata().getName());
        HttpResponse<String> response = client.getHttpClient()
                .sendAsync(
                        client.getHttpClient()
                                .newHttpRequestBuilder()
                                .uri(URI.create(client.getMasterUrl().toString())
                                        .resolve(path))
                                .method("PATCH", "application/apply-patch+yaml", YAML.asYaml(object))
                                .build(),
                        String.class)
                .get(30, TimeUnit.SECONDS);
        return new Answer(response.code(), Objects.requireNonNull(response.body()), response.headers("Warning"));
    }
}
