package io.capoa.lab.cluster;

import java.io.IOException;
import java.io.PrintStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;

/**
 * Downloads the standard envtest archive into the cache, for machines without Go, and verifies the SHA-512 that its
 * publisher lists. It lacks kube-controller-manager.
 */
final class EnvtestArchive implements BinarySource {

    /** Index of archives and checksums of Kubernetes' controller-tools. */
    static final URI INDEX =
            URI.create("https://raw.githubusercontent.com/kubernetes-sigs/controller-tools/HEAD/envtest-releases.yaml");

    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private final Path root;
    private final BinaryCache cache;
    private final PrintStream progress;
    private final URI index;

    EnvtestArchive(Path root, BinaryCache cache, PrintStream progress, URI index) {
        this.root = root;
        this.cache = cache;
        this.progress = progress;
        this.index = index;
    }

    @Override
    public Optional<Path> get(Tool tool) {
        if (tool == Tool.KUBE_CONTROLLER_MANAGER) {
            progress.println(
                    "Going on without kube-controller-manager, which the envtest archive does not hold:"
                            + " deleted owners leave their objects behind, deleted namespaces stay. With Go it would be built.");
            return Optional.empty();
        }
        if (!tool.inEnvtest()) {
            return Optional.empty();
        }
        return Optional.of(cache.make(tool, half -> fetch(tool, half)));
    }

    private void fetch(Tool tool, Path target) throws IOException {
        GoRecipe kubernetes = GoRecipe.of(root, Tool.KUBE_APISERVER);
        Path archive = target.resolveSibling("." + tool.executable() + ".tar.gz");
        try (HttpClient client = HttpClient.newBuilder()
                .followRedirects(HttpClient.Redirect.NORMAL)
                .connectTimeout(Duration.ofSeconds(15))
                .build()) {
            String list = client.send(request(index), HttpResponse.BodyHandlers.ofString())
                    .body();
            EnvtestIndex.Archive chosen =
                    EnvtestIndex.parse(list).newestPatchOf(kubernetes.version(), EnvtestIndex.platform());
            progress.printf(
                    "Go is not installed: fetching %s from envtest %s (once)%n", tool.executable(), chosen.version());
            int status = client.send(request(chosen.location()), HttpResponse.BodyHandlers.ofFile(archive))
                    .statusCode();
            if (status != 200) {
                throw new ClusterException("%s answered %d.".formatted(chosen.location(), status));
            }
            check(archive, chosen);
            TarGz.extract(archive, tool.executable(), target);
        } catch (ConnectException | HttpTimeoutException e) {
            throw new ClusterException(
                    ("%s is missing and cannot be had: Go is not installed, and %s cannot be reached."
                                    + " Install Go (https://go.dev/dl), or put etcd and kube-apiserver into a folder and set"
                                    + " KUBEBUILDER_ASSETS to it.")
                            .formatted(tool.executable(), index.getHost()),
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ClusterException("Interrupted while fetching " + tool.executable() + ".", e);
        } finally {
            Files.deleteIfExists(archive);
        }
    }

    private static HttpRequest request(URI location) {
        return HttpRequest.newBuilder(location).timeout(PATIENCE).build();
    }

    private static void check(Path archive, EnvtestIndex.Archive published) throws IOException {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-512");
            String found = HexFormat.of().formatHex(digest.digest(Files.readAllBytes(archive)));
            if (!found.equals(published.sha512())) {
                throw new ClusterException(
                        "%s is not what its publisher lists: SHA-512 %s instead of %s. Try again later."
                                .formatted(published.location(), found, published.sha512()));
            }
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
