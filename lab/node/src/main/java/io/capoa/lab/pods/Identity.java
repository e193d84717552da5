package io.capoa.lab.pods;

import io.capoa.lab.cluster.UserKubeconfig;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.authentication.TokenRequest;
import io.fabric8.kubernetes.api.model.authentication.TokenRequestBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.TreeMap;

/**
 * ServiceAccount token of a pod, bound to the pod, in a kubeconfig and in the files that a pod finds in its ServiceAccount
 * volume. Both are renewed in place before it expires.
 */
final class Identity {

    private final KubernetesClient client;
    private final Sources sources;
    private final Pod pod;
    private final Path folder;
    private final Duration lifetime;
    private final InstantSource clock;

    private Instant renewal = Instant.MIN;
    private String token = "";
    private Map<String, String> places = Map.of();

    Identity(KubernetesClient client, Sources sources, Pod pod, Path folder, Duration lifetime, InstantSource clock) {
        this.client = client;
        this.sources = sources;
        this.pod = pod;
        this.folder = folder;
        this.lifetime = lifetime;
        this.clock = clock;
    }

    Path folder() {
        return folder;
    }

    Path kubeconfig() {
        return folder.resolve("kubeconfig");
    }

    String token() {
        return token;
    }

    /** What a {@link Program}'s environment can name; empty before there is a token. */
    Map<String, String> places() {
        return places;
    }

    /**
     * Requests a token if there is none or it is due for renewal.
     *
     * @return time until the renewal
     * @throws UnmetRequirement if the ServiceAccount does not exist
     */
    Duration keep() throws UnmetRequirement, IOException {
        Instant now = clock.instant();
        if (now.isBefore(renewal)) {
            return Duration.between(now, renewal);
        }
        String namespace = pod.getMetadata().getNamespace();
        String account = PodParts.account(pod);
        if (!sources.hasAccount(namespace, account)) {
            throw new UnmetRequirement(
                    Waiting.CREATING, "serviceaccount \"%s\" not found in namespace %s".formatted(account, namespace));
        }
        TokenRequest answer = client.serviceAccounts()
                .inNamespace(namespace)
                .withName(account)
                .tokenRequest(new TokenRequestBuilder()
                        .withNewSpec()
                        .withExpirationSeconds(lifetime.toSeconds())
                        .withNewBoundObjectRef()
                        .withApiVersion("v1")
                        .withKind("Pod")
                        .withName(pod.getMetadata().getName())
                        .withUid(pod.getMetadata().getUid())
                        .endBoundObjectRef()
                        .endSpec()
                        .build());
        token = answer.getStatus().getToken();
        Path file = write("token", token);
        UserKubeconfig access =
                UserKubeconfig.like(client.getConfiguration(), namespace + "-" + account, token, file, namespace);
        var unused = access.write(kubeconfig());
        Map<String, String> written = new TreeMap<>(Map.of(
                Program.API_SERVER,
                access.server(),
                Program.TOKEN_FILE,
                file.toString(),
                Program.NAMESPACE_FILE,
                write("namespace", namespace).toString()));
        if (!access.authority().isEmpty()) {
            written.put(
                    Program.AUTHORITY_FILE, write("ca.crt", access.authority()).toString());
        }
        places = Map.copyOf(written);
        // As a kubelet: after four fifths of the lifetime.
        Duration good = Duration.between(now, Instant.parse(answer.getStatus().getExpirationTimestamp()));
        renewal = now.plus(good.multipliedBy(4).dividedBy(5));
        return Duration.between(now, renewal);
    }

    private Path write(String name, String text) throws IOException {
        Path whole = folder.resolve(name + ".new");
        Files.deleteIfExists(whole);
        Files.createFile(whole, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.write(whole, text.getBytes(StandardCharsets.UTF_8));
        return Files.move(whole, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    }
}
