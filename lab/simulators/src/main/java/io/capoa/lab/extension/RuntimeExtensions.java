package io.capoa.lab.extension;

import io.capoa.api.contract.ExtensionConfig;
import io.capoa.api.contract.Fields;
import io.capoa.lab.controller.Caches;
import io.capoa.lab.controller.Key;
import io.capoa.lab.controller.WorkingCopy;
import io.capoa.lab.controller.Writes;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The runtime extensions that ExtensionConfigs name: discovers their handlers and calls them. A config without
 * discovered handlers counts as absent, as with Cluster API. Of {@code spec.namespaceSelector} it knows
 * {@code matchLabels}.
 */
public final class RuntimeExtensions {

    /** API version of all hooks. */
    public static final String API_VERSION = "hooks.runtime.cluster.x-k8s.io/v1alpha1";

    private static final String INJECT_CA = "runtime.cluster.x-k8s.io/inject-ca-from-secret";
    private static final Duration DISCOVERY = Duration.ofSeconds(10);

    private record Handler(ExtensionConfig config, String name, Duration timeout, boolean ignoresFailure) {}

    private final KubernetesClient client;
    private final Caches.Cache<ExtensionConfig> configs;
    private final Writes writes;
    private final HookClient hooks;

    public RuntimeExtensions(KubernetesClient client, Caches caches, Writes writes) {
        this.client = client;
        this.configs = caches.clusterScoped(ExtensionConfig.class);
        this.writes = writes;
        this.hooks = new HookClient(client);
    }

    /** The watched ExtensionConfigs. */
    public Caches.Cache<ExtensionConfig> configs() {
        return configs;
    }

    /** Injects the CA and discovers the handlers of one ExtensionConfig; a failure is retried, handlers stay. */
    public @Nullable Duration reconcile(Key key) {
        ExtensionConfig config = configs.get(key);
        if (config == null || config.getMetadata().getDeletionTimestamp() != null) {
            return null;
        }
        WorkingCopy<ExtensionConfig> working = new WorkingCopy<>(config);
        authority(config).ifPresent(ca -> working.set(ca, "spec", "clientConfig", "caBundle"));
        if (!working.change().isEmpty()) {
            working.write(writes);
            return null;
        }
        try {
            working.set(discovered(config), "status", "handlers");
            working.condition("Discovered", "True", "Discovered", "");
        } catch (HookFailure e) {
            working.condition("Discovered", "False", "NotDiscovered", String.valueOf(e.getMessage()));
            working.write(writes);
            return Duration.ofSeconds(1);
        }
        working.write(writes);
        return null;
    }

    private Optional<String> authority(ExtensionConfig config) {
        String from = Objects.requireNonNullElse(config.getMetadata().getAnnotations(), Map.<String, String>of())
                .get(INJECT_CA);
        if (from == null) {
            return Optional.empty();
        }
        String[] secret = from.split("/", 2);
        Secret found =
                client.secrets().inNamespace(secret[0]).withName(secret[1]).get();
        return Optional.ofNullable(found).map(Secret::getData).map(data -> data.get("ca.crt"));
    }

    private List<Map<String, Object>> discovered(ExtensionConfig config) {
        Map<String, Object> answer = hooks.post(config, "discovery", DISCOVERY, request("Discovery", Map.of()));
        List<Map<String, Object>> handlers = new ArrayList<>();
        for (Object handler : answer.get("handlers") instanceof List<?> list ? list : List.of()) {
            Map<String, Object> registered = new TreeMap<>();
            registered.put(
                    "name",
                    Fields.text(handler, "name") + "." + config.getMetadata().getName());
            registered.put("requestHook", Objects.requireNonNull(Fields.any(handler, "requestHook")));
            registered.put("failurePolicy", orElse(Fields.text(handler, "failurePolicy"), "Fail"));
            registered.put("timeoutSeconds", Integer.valueOf(orElse(Fields.text(handler, "timeoutSeconds"), "10")));
            handlers.add(registered);
        }
        return handlers;
    }

    /** Whether a hook has a handler for objects of the namespace. */
    public boolean handles(String hook, String namespace) {
        return handler(hook, namespace) != null;
    }

    /**
     * Calls the one handler of a hook.
     *
     * @param fields of the request
     * @return the response; empty if the handler is not reached and its failures are ignored
     * @throws HookFailure if there is no handler, or it fails and its failures are not ignored
     */
    public Map<String, Object> call(String hook, String namespace, Map<String, ?> fields) {
        Handler handler = handler(hook, namespace);
        if (handler == null) {
            throw new HookFailure("no runtime extension handles " + hook);
        }
        String path = hook.toLowerCase(java.util.Locale.ROOT) + "/" + handler.name;
        try {
            return hooks.post(handler.config, path, handler.timeout, request(hook, fields));
        } catch (HookFailure e) {
            if (handler.ignoresFailure) {
                return Map.of();
            }
            throw e;
        }
    }

    private static Map<String, Object> request(String hook, Map<String, ?> fields) {
        Map<String, Object> request = new LinkedHashMap<>(fields);
        request.put("apiVersion", API_VERSION);
        request.put("kind", hook + "Request");
        request.put("settings", Map.of());
        return request;
    }

    private @Nullable Handler handler(String hook, String namespace) {
        List<Handler> handlers = configs.list()
                .filter(config -> selects(config, namespace))
                .flatMap(config -> Fields.list(config, "status", "handlers").stream()
                        .filter(handler -> hook.equals(Fields.text(handler, "requestHook", "hook")))
                        .map(handler -> handler(config, handler)))
                .toList();
        if (handlers.size() > 1) {
            throw new HookFailure(handlers.size() + " runtime extensions handle " + hook + ", one is allowed");
        }
        return handlers.isEmpty() ? null : handlers.getFirst();
    }

    private static Handler handler(ExtensionConfig config, Object handler) {
        String name = Fields.text(handler, "name");
        return new Handler(
                config,
                name.substring(0, name.length() - config.getMetadata().getName().length() - 1),
                Duration.ofSeconds(Long.parseLong(orElse(Fields.text(handler, "timeoutSeconds"), "10"))),
                "Ignore".equals(Fields.text(handler, "failurePolicy")));
    }

    private boolean selects(ExtensionConfig config, String namespace) {
        Map<String, Object> wanted = Fields.map(config, "spec", "namespaceSelector", "matchLabels");
        if (wanted.isEmpty()) {
            return true;
        }
        Namespace object = client.namespaces().withName(namespace).get();
        Map<String, String> labels = object == null
                ? Map.of()
                : Objects.requireNonNullElse(object.getMetadata().getLabels(), Map.of());
        return labels.entrySet().containsAll(wanted.entrySet());
    }

    private static String orElse(String text, String otherwise) {
        return text.isEmpty() ? otherwise : text;
    }
}
