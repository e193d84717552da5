package io.capoa.lab.pods;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapKeySelector;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.EnvFromSource;
import io.fabric8.kubernetes.api.model.EnvVar;
import io.fabric8.kubernetes.api.model.EnvVarSource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretKeySelector;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Resolves the environment variables of a container. */
final class Environment {

    private static final String CONFIG_ERROR = "CreateContainerConfigError";

    private final Pod pod;
    private final Sources sources;
    private final String namespace;

    Environment(Pod pod, Sources sources) {
        this.pod = pod;
        this.sources = sources;
        this.namespace = pod.getMetadata().getNamespace();
    }

    /**
     * Resolves variables in the order of the specification, so that one may refer to earlier ones.
     *
     * @throws UnmetRequirement if a required Secret, ConfigMap or key is missing
     */
    Map<String, String> of(Container container) throws UnmetRequirement {
        Map<String, String> variables = new TreeMap<>();
        for (EnvFromSource source : container.getEnvFrom()) {
            String prefix = Objects.requireNonNullElse(source.getPrefix(), "");
            all(source).forEach((key, value) -> variables.put(prefix + key, value));
        }
        for (EnvVar variable : container.getEnv()) {
            if (variable.getValueFrom() != null) {
                value(variable).ifPresent(value -> variables.put(variable.getName(), value));
            } else {
                String value = Objects.requireNonNullElse(variable.getValue(), "");
                variables.put(variable.getName(), Expansion.expand(value, variables));
            }
        }
        return variables;
    }

    private Map<String, String> all(EnvFromSource source) throws UnmetRequirement {
        Map<String, String> values = new TreeMap<>();
        if (source.getConfigMapRef() != null) {
            configMap(
                            source.getConfigMapRef().getName(),
                            source.getConfigMapRef().getOptional())
                    .ifPresent(map -> values.putAll(Objects.requireNonNullElse(map.getData(), Map.of())));
        }
        if (source.getSecretRef() != null) {
            secret(source.getSecretRef().getName(), source.getSecretRef().getOptional())
                    .ifPresent(secret -> Objects.requireNonNullElse(secret.getData(), Map.<String, String>of())
                            .forEach((key, value) -> values.put(key, decoded(value))));
        }
        return values;
    }

    private Optional<String> value(EnvVar variable) throws UnmetRequirement {
        EnvVarSource from = variable.getValueFrom();
        if (from.getFieldRef() != null) {
            return Optional.of(field(variable.getName(), from.getFieldRef().getFieldPath()));
        }
        if (from.getSecretKeyRef() != null) {
            SecretKeySelector key = from.getSecretKeyRef();
            Optional<Secret> secret = secret(key.getName(), key.getOptional());
            return ofKey(
                    "secret",
                    key.getName(),
                    key.getKey(),
                    key.getOptional(),
                    secret.map(Secret::getData)
                            .map(data -> data.get(key.getKey()))
                            .map(Environment::decoded));
        }
        if (from.getConfigMapKeyRef() != null) {
            ConfigMapKeySelector key = from.getConfigMapKeyRef();
            Optional<ConfigMap> map = configMap(key.getName(), key.getOptional());
            return ofKey(
                    "configmap",
                    key.getName(),
                    key.getKey(),
                    key.getOptional(),
                    map.map(ConfigMap::getData).map(data -> data.get(key.getKey())));
        }
        throw new UnmetRequirement(
                CONFIG_ERROR,
                "this node does not support the source of variable %s: %s".formatted(variable.getName(), from));
    }

    private Optional<Secret> secret(String name, @Nullable Boolean optional) throws UnmetRequirement {
        Optional<Secret> found = sources.secret(namespace, name);
        if (found.isEmpty() && !Boolean.TRUE.equals(optional)) {
            throw new UnmetRequirement(CONFIG_ERROR, "secret \"%s\" not found".formatted(name));
        }
        return found;
    }

    private Optional<ConfigMap> configMap(String name, @Nullable Boolean optional) throws UnmetRequirement {
        Optional<ConfigMap> found = sources.configMap(namespace, name);
        if (found.isEmpty() && !Boolean.TRUE.equals(optional)) {
            throw new UnmetRequirement(CONFIG_ERROR, "configmap \"%s\" not found".formatted(name));
        }
        return found;
    }

    private Optional<String> ofKey(
            String kind, String name, String key, @Nullable Boolean optional, Optional<String> value)
            throws UnmetRequirement {
        if (value.isEmpty() && !Boolean.TRUE.equals(optional)) {
            throw new UnmetRequirement(
                    CONFIG_ERROR, "couldn't find key %s in %s %s/%s".formatted(key, kind, namespace, name));
        }
        return value;
    }

    private String field(String variable, String path) throws UnmetRequirement {
        return switch (path) {
            case "metadata.name" -> pod.getMetadata().getName();
            case "metadata.namespace" -> namespace;
            case "metadata.uid" -> pod.getMetadata().getUid();
            case "spec.serviceAccountName" -> PodParts.account(pod);
            case "spec.nodeName" -> Objects.requireNonNullElse(pod.getSpec().getNodeName(), "");
            case "status.podIP", "status.podIPs", "status.hostIP", "status.hostIPs" -> "127.0.0.1";
            default ->
                throw new UnmetRequirement(
                        CONFIG_ERROR,
                        "this node does not support the field of variable %s: %s".formatted(variable, path));
        };
    }

    private static String decoded(String base64) {
        return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
    }
}
