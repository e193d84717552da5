import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import okhttp3.HttpUrl;

/**
 * What a request is about: a collection of a kind, or one of its objects.
 *
 * @param version path of the API version, such as {@code /apis/apps/v1}
 * @param namespace empty for cluster-scoped objects and for all namespaces
 * @param name empty for a collection
 * @param subresource empty for the object itself
 * @param labels requirements of the label selector, {@code key}, {@code !key} or
 *     {@code key=value}
 * @param named the name that the field selector wants; empty for any
 * @param since resource version after which a watch begins
 * @param dryRun whether a write is not stored
 */
record Target(
        String version,
        String namespace,
        String plural,
        String name,
        String subresource,
        List<String> labels,
        String named,
        long since,
        boolean dryRun) {

    private static final String BY_NAME = "metadata.name=";

    static Target of(HttpUrl url) {
        List<String> path = new ArrayList<>(url.pathSegments());
        int rooted = path.getFirst().equals("api") ? 2 : 3;
        String version = "/" + String.join("/", path.subList(0, Math.min(rooted, path.size())));
        List<String> rest = new ArrayList<>(path.subList(Math.min(rooted, path.size()), path.size()));
        String namespace = "";
        if (rest.size() > 2 && rest.getFirst().equals("namespaces")) {
            namespace = rest.get(1);
            rest = rest.subList(2, rest.size());
        }
        String labels = text(url, "labelSelector");
        String fields = text(url, "fieldSelector");
        String since = text(url, "resourceVersion");
        return new Target(
                version,
                namespace,
                part(rest, 0),
                part(rest, 1),
                part(rest, 2),
                labels.isEmpty() ? List.of() : Arrays.asList(labels.split(",")),
                fields.startsWith(BY_NAME) ? fields.substring(BY_NAME.length()) : "",
                since.isEmpty() ? 0 : Long.parseLong(since),
                !text(url, "dryRun").isEmpty());
    }

    private static String text(HttpUrl url, String parameter) {
        String value = url.queryParameter(parameter);
        return value == null ? "" : value;
    }

    private static String part(List<String> path, int index) {
        return index < path.size() ? path.get(index) : "";
    }

    /** Path of the object of that name. */
    String path(String object) {
        return version + (namespace.isEmpty() ? "" : "/namespaces/" + namespace) + "/" + plural + "/" + object;
    }

    String apiVersion() {
        return version.replaceFirst("^/apis?/", "");
    }

    /** Whether an object at that path belongs to the collection. */
    boolean selects(String path, JsonNode object) {
        JsonNode metadata = object.path("metadata");
        String owner = metadata.path("namespace").asText();
        String name = metadata.path("name").asText();
        String expected = version + (owner.isEmpty() ? "" : "/namespaces/" + owner) + "/" + plural + "/" + name;
        return path.equals(expected)
                && (namespace.isEmpty() || namespace.equals(owner))
                && (named.isEmpty() || named.equals(name))
                && labels.stream().allMatch(label -> has(metadata.path("labels"), label));
    }

    private static boolean has(JsonNode labels, String requirement) {
        String[] parts = requirement.split("==?", 2);
        if (parts[0].startsWith("!")) {
            return !labels.has(parts[0].substring(1));
        }
        return labels.has(parts[0])
                && (parts.length == 1 || labels.path(parts[0]).asText().equals(parts[1]));
    }
}
