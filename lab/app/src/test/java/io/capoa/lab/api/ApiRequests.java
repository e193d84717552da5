package io.capoa.lab.api;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.net.URI;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** Raw requests, for headers and other representations. */
record ApiRequests(KubernetesClient client) {

    private static final KubernetesSerialization SERIALIZATION = new KubernetesSerialization();

    JsonNode get(String path, String accept) throws Exception {
        HttpResponse<String> response = send(
                client.getHttpClient().newHttpRequestBuilder().uri(uri(path)).header("Accept", accept));
        return SERIALIZATION.unmarshal(Objects.requireNonNull(response.body()), JsonNode.class);
    }

    HttpResponse<String> apply(String path, String yaml) throws Exception {
        return send(client.getHttpClient()
                .newHttpRequestBuilder()
                .uri(uri(path))
                .method("PATCH", "application/apply-patch+yaml", yaml));
    }

    private URI uri(String path) throws Exception {
        return client.getMasterUrl().toURI().resolve(path);
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return client.getHttpClient().sendAsync(request.build(), String.class).get(30, TimeUnit.SECONDS);
    }
}
