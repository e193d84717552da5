package io.capoa.lab.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Files of a pinned Go module other than code, such as manifests: read from Go's module cache, so that this project
 * contains no copies.
 *
 * @param recipe folder below {@code lab/binaries} whose {@code go.mod} and {@code go.sum} pin the module
 * @param path of the module, such as {@code sigs.k8s.io/cluster-api}
 */
public record GoModule(Path root, String recipe, String path) {

    /** The module of Cluster API. */
    public static GoModule clusterApi(Path root) {
        return new GoModule(root, Tool.CLUSTERCTL.recipe(), Tool.CLUSTERCTL.goModule());
    }

    /** The module of cert-manager, for its CRDs. */
    public static GoModule certManager(Path root) {
        return new GoModule(root, "cert-manager", "github.com/cert-manager/cert-manager");
    }

    /** The module of the Cluster API operator, for its CRDs. */
    public static GoModule clusterApiOperator(Path root) {
        return new GoModule(root, "cluster-api-operator", "sigs.k8s.io/cluster-api-operator");
    }

    /** Why modules cannot be downloaded or built here; empty if they can. */
    public static Optional<String> obstacle() {
        return SupervisorScript.onPath("go").isPresent()
                ? Optional.empty()
                : Optional.of(
                        "Go is not installed (https://go.dev/dl); Cluster API core and clusterctl are built from Go modules");
    }

    /** Pinned version, such as {@code v1.14.2}. */
    public String version() {
        return GoRecipe.of(folder(), path).version();
    }

    /**
     * Folder of the module's files, read-only; downloads them if necessary and verifies the pinned checksum.
     *
     * @throws ClusterException without Go, or without access to its module proxy
     */
    public Path files() {
        if (SupervisorScript.onPath("go").isEmpty()) {
            throw new ClusterException(
                    "The files of %s %s are read from Go's module cache, and Go is not installed (https://go.dev/dl)."
                            .formatted(path, version()));
        }
        try {
            ProcessBuilder builder = new ProcessBuilder("go", "mod", "download", "-json", path)
                    .directory(folder().toFile())
                    .redirectError(ProcessBuilder.Redirect.DISCARD);
            builder.environment().put("GOFLAGS", "");
            builder.environment().put("GOWORK", "off");
            Process process = builder.start();
            process.getOutputStream().close();
            String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            int code = process.waitFor();
            JsonNode module =
                    answer.isBlank() ? new ObjectMapper().createObjectNode() : new ObjectMapper().readTree(answer);
            if (code != 0 || !Files.isDirectory(Path.of(module.path("Dir").asText()))) {
                throw new ClusterException(
                        "Go cannot download %s %s: %s. It needs access to its module proxy the first time."
                                .formatted(path, version(), module.path("Error").asText("exit code " + code)));
            }
            return Path.of(module.path("Dir").asText());
        } catch (IOException e) {
            throw new ClusterException("Cannot run go to find the files of %s: %s".formatted(path, e.getMessage()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ClusterException("Interrupted while Go looked for " + path, e);
        }
    }

    private Path folder() {
        return root.resolve("lab").resolve("binaries").resolve(recipe);
    }
}
