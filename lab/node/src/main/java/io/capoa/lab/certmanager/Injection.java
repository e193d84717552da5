package io.capoa.lab.certmanager;

import io.capoa.lab.controller.Caches;
import io.capoa.lab.controller.Key;
import io.capoa.lab.controller.WorkQueue;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Injects the CA of a Certificate into webhook configurations and CRDs with annotation {@code
 * cert-manager.io/inject-ca-from}, also after they have been applied again.
 */
final class Injection {

    private static final String FROM = "cert-manager.io/inject-ca-from";
    private static final String CRD = "CustomResourceDefinition";

    /** Kinds with CA bundles, by the value that the keys of the queue have as namespace. */
    private static final Map<String, ResourceDefinitionContext> KINDS = Map.of(
            "ValidatingWebhookConfiguration",
            kind("admissionregistration.k8s.io", "ValidatingWebhookConfiguration"),
            "MutatingWebhookConfiguration",
            kind("admissionregistration.k8s.io", "MutatingWebhookConfiguration"),
            CRD,
            kind("apiextensions.k8s.io", CRD));

    private final KubernetesClient client;
    private final Caches.Cache<GenericKubernetesResource> certificates;
    private final Caches.Cache<Secret> secrets;
    private final Map<String, Caches.Cache<GenericKubernetesResource>> targets = new HashMap<>();
    private final Duration delay;
    /** When a key was first seen without its CA. */
    private final Map<Key, Instant> missing = new ConcurrentHashMap<>();

    Injection(
            KubernetesClient client,
            Caches.Cache<GenericKubernetesResource> certificates,
            Caches.Cache<Secret> secrets,
            Duration delay) {
        this.client = client;
        this.certificates = certificates;
        this.secrets = secrets;
        this.delay = delay;
    }

    /** Opens the caches and enqueues their changes; keys are kind and name. */
    void feed(Caches caches, WorkQueue queue) {
        KINDS.forEach((kind, context) -> {
            Caches.Cache<GenericKubernetesResource> cache = caches.open(context);
            targets.put(kind, cache);
            queue.watch(
                    cache, object -> List.of(new Key(kind, object.getMetadata().getName())));
        });
        queue.watch(secrets, secret -> all());
    }

    /** Keys of all objects with the annotation. */
    List<Key> all() {
        List<Key> keys = new ArrayList<>();
        targets.forEach((kind, cache) -> cache.list()
                .filter(object -> from(object) != null)
                .forEach(object -> keys.add(new Key(kind, object.getMetadata().getName()))));
        return keys;
    }

    @Nullable
    Duration work(Key key) {
        GenericKubernetesResource object =
                Objects.requireNonNull(targets.get(key.namespace())).get(new Key("", key.name()));
        String from = object == null ? null : from(object);
        if (object == null || from == null) {
            missing.remove(key);
            return null;
        }
        String authority = authority(from);
        List<Map<String, Object>> patch = authority == null ? List.of() : patch(object, authority);
        Duration left = patch.isEmpty() ? Duration.ZERO : left(key);
        if (left.isPositive()) {
            return left;
        }
        missing.remove(key);
        if (!patch.isEmpty()) {
            List<Map<String, Object>> whole = new ArrayList<>();
            whole.add(operation(
                    "test", "/metadata/resourceVersion", object.getMetadata().getResourceVersion()));
            whole.addAll(patch);
            var unused = client.genericKubernetesResources(Objects.requireNonNull(KINDS.get(key.namespace())))
                    .withName(key.name())
                    .patch(
                            PatchContext.of(PatchType.JSON),
                            client.getKubernetesSerialization().asJson(whole));
        }
        return null;
    }

    private Duration left(Key key) {
        Instant now = Instant.now();
        return Duration.between(now, missing.computeIfAbsent(key, first -> now).plus(delay));
    }

    private static @Nullable String from(GenericKubernetesResource object) {
        Map<String, String> annotations = object.getMetadata().getAnnotations();
        return annotations == null ? null : annotations.get(FROM);
    }

    /** The CA of a Certificate in base64; {@code null} until it is issued. */
    private @Nullable String authority(String from) {
        int slash = from.indexOf('/');
        if (slash < 0) {
            return null;
        }
        String namespace = from.substring(0, slash);
        GenericKubernetesResource certificate = certificates.get(new Key(namespace, from.substring(slash + 1)));
        Object secretName = certificate == null ? null : certificate.<Object>get("spec", "secretName");
        Secret secret = secrets.get(new Key(namespace, String.valueOf(secretName)));
        return secret == null || secret.getData() == null
                ? null
                : secret.getData().get(CertificateSecret.AUTHORITY);
    }

    private static List<Map<String, Object>> patch(GenericKubernetesResource object, String authority) {
        List<Map<String, Object>> operations = new ArrayList<>();
        if (object.getKind().equals(CRD)) {
            if ("Webhook".equals(object.<Object>get("spec", "conversion", "strategy"))) {
                add(operations, "/spec/conversion/webhook", object.get("spec", "conversion", "webhook"), authority);
            }
            return operations;
        }
        List<Map<String, Object>> webhooks = Objects.requireNonNullElse(object.get("webhooks"), List.of());
        for (int i = 0; i < webhooks.size(); i++) {
            add(operations, "/webhooks/" + i, webhooks.get(i), authority);
        }
        return operations;
    }

    private static void add(
            List<Map<String, Object>> operations,
            String path,
            @Nullable Map<String, Object> webhook,
            String authority) {
        if (webhook != null
                && webhook.get("clientConfig") instanceof Map<?, ?> config
                && !authority.equals(config.get("caBundle"))) {
            operations.add(operation("add", path + "/clientConfig/caBundle", authority));
        }
    }

    private static Map<String, Object> operation(String op, String path, String value) {
        return Map.of("op", op, "path", path, "value", value);
    }

    private static ResourceDefinitionContext kind(String group, String kind) {
        return new ResourceDefinitionContext.Builder()
                .withGroup(group)
                .withVersion("v1")
                .withKind(kind)
                .withPlural(kind.toLowerCase(java.util.Locale.ROOT) + "s")
                .withNamespaced(false)
                .build();
    }
}
