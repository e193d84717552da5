package io.capoa.lab.certmanager;

import io.capoa.lab.controller.Caches;
import io.capoa.lab.controller.Key;
import io.capoa.lab.controller.WorkingCopy;
import io.capoa.lab.controller.Writes;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reconciles Issuers and ClusterIssuers: self-signed ones become Ready, others report that they are not supported. */
final class Issuers {

    private final Writes writes;
    private final Caches.Cache<GenericKubernetesResource> issuers;
    private final Caches.Cache<GenericKubernetesResource> clusterIssuers;

    Issuers(
            Writes writes,
            Caches.Cache<GenericKubernetesResource> issuers,
            Caches.Cache<GenericKubernetesResource> clusterIssuers) {
        this.writes = writes;
        this.issuers = issuers;
        this.clusterIssuers = clusterIssuers;
    }

    List<Key> all() {
        return Stream.concat(issuers.list(), clusterIssuers.list()).map(Key::of).toList();
    }

    /** Why the issuer cannot issue a certificate of the namespace; empty if it can. */
    Optional<String> problem(String namespace, Map<?, ?> reference) {
        String kind = String.valueOf(Objects.requireNonNullElse((Object) reference.get("kind"), "Issuer"));
        String name = String.valueOf(reference.get("name"));
        GenericKubernetesResource issuer = kind.equals("ClusterIssuer")
                ? clusterIssuers.get(new Key("", name))
                : issuers.get(new Key(namespace, name));
        if (issuer == null) {
            return Optional.of("Referenced \"%s\" not found: %s".formatted(kind, name));
        }
        return isSelfSigned(issuer)
                ? Optional.empty()
                : Optional.of("%s %s is not selfSigned, the only type that the lab supports".formatted(kind, name));
    }

    /** Writes the Ready condition. */
    @Nullable
    Duration report(Key key) {
        GenericKubernetesResource issuer = key.namespace().isEmpty() ? clusterIssuers.get(key) : issuers.get(key);
        if (issuer == null) {
            return null;
        }
        WorkingCopy<GenericKubernetesResource> working = new WorkingCopy<>(issuer);
        if (isSelfSigned(issuer)) {
            working.condition("Ready", "True", "IsReady", "");
        } else {
            working.condition("Ready", "False", "Unsupported", "The lab has selfSigned issuers alone.");
        }
        Map<String, Object> status = working.statusChange();
        if (!status.isEmpty()) {
            writes.patchStatus(issuer, status);
        }
        return null;
    }

    private static boolean isSelfSigned(GenericKubernetesResource issuer) {
        return issuer.get("spec", "selfSigned") != null;
    }
}
