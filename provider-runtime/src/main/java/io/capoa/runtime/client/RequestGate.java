package io.capoa.runtime.client;

import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Refuses every request whose address is not one of the Kubernetes API's, before it is sent. The client puts names into
 * paths as they are, and the HTTP library resolves {@code ..}: a name with {@code ../} would reach another namespace, one
 * with {@code ?} would turn a read into something else. Here the address is still as it was written.
 *
 * <p>The second line of defence: names are checked where they are used, by {@link ByName}. This one cannot be forgotten.
 */
public final class RequestGate implements Interceptor {

    /** The name under which the client knows this interceptor. */
    public static final String NAME = "REQUEST_GATE";

    private static final Pattern VERSION = Pattern.compile("v[0-9]+(?:(?:alpha|beta)[0-9]+)?");
    private static final Pattern PLURAL = Pattern.compile("[a-z][a-z0-9]{0,62}");
    private static final Pattern REQUIREMENT = Pattern.compile(
            "!?[A-Za-z0-9./_-]+(?:(?:=|==|!=)[A-Za-z0-9._-]*| (?:not)?in" + " \\([A-Za-z0-9._,-]*\\))?");
    private static final Pattern BETWEEN_REQUIREMENTS = Pattern.compile(",(?![^(]*\\))");
    private static final Pattern HARMLESS = Pattern.compile("[A-Za-z0-9._=-]*");

    private static final Set<String> OF_COLLECTIONS = Set.of(
            "labelSelector",
            "fieldSelector",
            "limit",
            "continue",
            "resourceVersion",
            "resourceVersionMatch",
            "allowWatchBookmarks",
            "sendInitialEvents",
            "watch",
            "timeoutSeconds");
    private static final Set<String> OF_WRITES = Set.of("fieldManager", "force", "fieldValidation", "dryRun");

    private final String prefix;

    /** @param server the API server's address; what its path begins with is part of every request */
    public RequestGate(URI server) {
        String path = server.getRawPath() == null ? "" : server.getRawPath();
        this.prefix = path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }

    @Override
    public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
        check(request.method(), request.uri());
    }

    /**
     * Passes a request that the Kubernetes API has.
     *
     * @throws InvalidNameException if it has none such; the message shows path and query shortened
     */
    void check(@Nullable String method, URI uri) {
        String path = uri.getRawPath();
        boolean read = method == null || method.equals("GET");
        boolean passes = path != null
                && path.startsWith(prefix + "/")
                && uri.getRawFragment() == null
                && uri.getRawUserInfo() == null
                && isAddress(path.substring(prefix.length() + 1), uri.getRawQuery(), read);
        if (!passes) {
            throw new InvalidNameException("A request for "
                    + ObjectName.quoted(path + (uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery()))
                    + " was not sent: it is not an address of the Kubernetes API");
        }
    }

    private static boolean isAddress(String path, @Nullable String query, boolean read) {
        List<String> segments = Arrays.asList(path.split("/", -1));
        return switch (segments.getFirst()) {
            case "api" -> isOfVersion(segments, 1, query, read);
            case "apis" ->
                segments.size() < 2 || (ObjectName.isValid(segments.get(1)) && isOfVersion(segments, 2, query, read));
            case "version" -> read && segments.size() == 1 && query == null;
            default -> false;
        };
    }

    /** @param at where the version stands; without one it is discovery */
    private static boolean isOfVersion(List<String> segments, int at, @Nullable String query, boolean read) {
        if (segments.size() <= at) {
            return read && query == null;
        }
        if (!VERSION.matcher(segments.get(at)).matches()) {
            return false;
        }
        List<String> rest = segments.subList(at + 1, segments.size());
        if (rest.isEmpty()) {
            return read && query == null;
        }
        boolean namespaced = rest.getFirst().equals("namespaces") && rest.size() > 2;
        if (namespaced) {
            if (!ObjectName.isNamespace(rest.get(1))) {
                return false;
            }
            rest = rest.subList(2, rest.size());
        }
        return isOfResource(rest, query, read);
    }

    private static boolean isOfResource(List<String> segments, @Nullable String query, boolean read) {
        if (!PLURAL.matcher(segments.getFirst()).matches()) {
            return false;
        }
        return switch (segments.size()) {
            case 1 -> isQuery(query, read ? OF_COLLECTIONS : OF_WRITES);
            case 2 -> ObjectName.isValid(segments.get(1)) && isQuery(query, read ? Set.of() : OF_WRITES);
            // Nothing is ever read of a subresource.
            case 3 ->
                !read
                        && ObjectName.isValid(segments.get(1))
                        && PLURAL.matcher(segments.get(2)).matches()
                        && isQuery(query, OF_WRITES);
            default -> false;
        };
    }

    private static boolean isQuery(@Nullable String query, Set<String> known) {
        if (query == null) {
            return true;
        }
        Map<String, String> seen = new HashMap<>();
        for (String parameter : query.split("&", -1)) {
            int equals = parameter.indexOf('=');
            String name = equals < 0 ? parameter : parameter.substring(0, equals);
            String value = equals < 0 ? "" : decoded(parameter.substring(equals + 1));
            if (!known.contains(name) || seen.put(name, value) != null || !isValue(name, value)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isValue(String parameter, String value) {
        return switch (parameter) {
            case "labelSelector" ->
                Arrays.stream(BETWEEN_REQUIREMENTS.split(value, -1))
                        .allMatch(
                                requirement -> REQUIREMENT.matcher(requirement).matches());
            case "fieldSelector" -> {
                int equals = value.indexOf('=');
                yield equals > 0 && ObjectName.isValid(value.substring(equals + 1));
            }
            default -> HARMLESS.matcher(value).matches();
        };
    }

    private static String decoded(String value) {
        try {
            return URLDecoder.decode(value, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException notEncoded) {
            return "%";
        }
    }
}
