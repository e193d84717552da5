package io.capoa.bootstrap.config.observe;

import io.capoa.bootstrap.config.observe.ConfigObservation.PullSecret;
import io.capoa.bootstrap.ignition.Ignition;
import io.capoa.bootstrap.infraenv.DesiredInfraEnv;
import io.capoa.runtime.client.ByName;
import io.capoa.runtime.client.ObjectName;
import io.capoa.runtime.write.Applier;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Checks the pull Secrets that InfraEnvs refer to, without caching them: they have no label to select, and their
 * content is not needed. A valid result is remembered for a minute, so that many new Machines cause one request.
 */
public final class PullSecrets {

    private static final String KEY = ".dockerconfigjson";
    private static final String PLACEHOLDER =
            "{\"auths\":{\"fake-pull-secret\":{\"auth\":\"cGxhY2Vob2xkZXI6c2VjcmV0Cg==\"}}}";
    private static final Duration REMEMBERED = Duration.ofMinutes(1);

    private record Name(String namespace, String name) {}

    private final KubernetesClient client;
    private final Applier applier;
    private final Clock clock;
    private final Map<Name, Instant> inOrder = new ConcurrentHashMap<>();

    public PullSecrets(KubernetesClient client, Applier applier, Clock clock) {
        this.client = client;
        this.applier = applier;
        this.clock = clock;
    }

    /** How the Secret is; one request unless it was in order a moment ago. */
    PullSecret look(String namespace, String name) {
        Name key = new Name(namespace, name);
        Instant until = inOrder.get(key);
        if (until != null && clock.instant().isBefore(until)) {
            return PullSecret.PRESENT;
        }
        if (!ObjectName.isValid(name)) {
            return PullSecret.NOT_A_NAME;
        }
        Secret secret =
                ByName.select(client.secrets().inNamespace(namespace), name).get();
        if (secret == null) {
            return PullSecret.MISSING;
        }
        if (!isReadable(secret)) {
            return PullSecret.INVALID;
        }
        inOrder.put(key, clock.instant().plus(REMEMBERED));
        return PullSecret.PRESENT;
    }

    /**
     * Creates the Secret that stands in for a pull secret, unless it exists. It has no owner: it serves every
     * config of its namespace, and must not go with the first.
     */
    public synchronized void createPlaceholder(String namespace) {
        Instant until = inOrder.get(new Name(namespace, DesiredInfraEnv.PLACEHOLDER_PULL_SECRET));
        if (until != null && clock.instant().isBefore(until)) {
            return;
        }
        applier.create(new SecretBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName(DesiredInfraEnv.PLACEHOLDER_PULL_SECRET)
                .endMetadata()
                .addToData(KEY, Base64.getEncoder().encodeToString(PLACEHOLDER.getBytes(StandardCharsets.UTF_8)))
                .build());
        inOrder.put(
                new Name(namespace, DesiredInfraEnv.PLACEHOLDER_PULL_SECRET),
                clock.instant().plus(REMEMBERED));
    }

    private static boolean isReadable(Secret secret) {
        String encoded = secret.getData() == null ? null : secret.getData().get(KEY);
        if (encoded == null) {
            return false;
        }
        try {
            return Ignition.isJson(new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8));
        } catch (IllegalArgumentException notBase64) {
            return false;
        }
    }
}
