package io.capoa.controlplane.workload.health;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.capoa.api.untrusted.UntrustedContent;
import io.capoa.runtime.untrusted.RefusedAnswerException;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Asks whether ClusterOperators have been written since they were read: one watch of a second, where reading them again costs a
 * request for each. A watch cache delivers what it has on hand at once, so the second is for an API server that lags behind.
 */
final class OperatorChanges {

    private static final String WATCH =
            "/apis/config.openshift.io/v1/clusteroperators?watch=true&timeoutSeconds=1&resourceVersion=";

    /** Only such a version can be asked from: a decimal number that a {@code long} holds for sure. */
    private static final Pattern VERSION = Pattern.compile("[1-9][0-9]{0,17}");

    private static final ObjectMapper JSON = UntrustedContent.json();

    private final KubernetesClient client;
    private final List<String> names;

    /**
     * Changes of some ClusterOperators.
     *
     * @param names of those that count
     */
    OperatorChanges(KubernetesClient client, List<String> names) {
        this.client = client;
        this.names = names;
    }

    /** Whether changes since that version can be asked for. */
    static boolean isVersion(String version) {
        return VERSION.matcher(version).matches();
    }

    /**
     * The version up to which none of them was written; empty if one was, or if only reading them tells. Throws
     * {@link KubernetesClientException} when the API does not answer.
     *
     * @param version since which to ask: that of a list or of an earlier answer
     */
    Optional<String> untouched(String version) {
        if (!isVersion(version)) {
            return Optional.empty();
        }
        try {
            return untouched(version, client.raw(WATCH + version));
        } catch (KubernetesClientException e) {
            if (e.getCode() > 0 || RefusedAnswerException.behind(e).isPresent()) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /** Reads events in JSON, one a line: each write of another operator is a later version to ask from. */
    private Optional<String> untouched(String version, String events) {
        String latest = version;
        for (String line : events.lines().toList()) {
            JsonNode event = parse(line);
            JsonNode metadata = event.path("object").path("metadata");
            String written = metadata.path("resourceVersion").asText();
            boolean counts = names.contains(metadata.path("name").asText());
            if (counts || event.path("type").asText().equals("ERROR") || !isVersion(written)) {
                return Optional.empty();
            }
            latest = written;
        }
        return Optional.of(latest);
    }

    private static JsonNode parse(String line) {
        try {
            return JSON.readTree(line);
        } catch (JsonProcessingException e) {
            return JSON.missingNode();
        }
    }
}
