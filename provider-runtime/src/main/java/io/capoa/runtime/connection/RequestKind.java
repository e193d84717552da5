package io.capoa.runtime.connection;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Verb and resource of a request, without object names, so that metrics stay bounded.
 *
 * @param verb as in RBAC: get, list, watch, create, update, patch, delete
 * @param resource plural and subresource, {@code machines/status}; {@code other} outside the resource paths
 */
record RequestKind(String verb, String resource) {

    /** Reads method, path ({@code /apis/<group>/<version>/namespaces/<namespace>/<plural>/<name>}) and {@code watch=}. */
    static RequestKind of(String method, String path, @Nullable String watch) {
        var parts = List.of(path.split("/", -1));
        int start = parts.indexOf("apis") >= 0 ? parts.indexOf("apis") + 3 : parts.indexOf("api") + 2;
        if (start < 2 || parts.size() <= start) {
            return new RequestKind(method.toLowerCase(Locale.ROOT), "other");
        }
        if (parts.get(start).equals("namespaces") && parts.size() > start + 2) {
            start += 2;
        }
        boolean named = parts.size() > start + 1;
        var resource = parts.size() > start + 2 ? parts.get(start) + "/" + parts.get(start + 2) : parts.get(start);
        return new RequestKind(verb(method, named, watch), resource);
    }

    private static String verb(String method, boolean named, @Nullable String watch) {
        return switch (method) {
            case "GET" -> "true".equals(watch) ? "watch" : named ? "get" : "list";
            case "POST" -> "create";
            case "PUT" -> "update";
            default -> method.toLowerCase(Locale.ROOT);
        };
    }
}
