package io.capoa.lab.provider;

import io.capoa.lab.cluster.Binaries;
import io.capoa.lab.cluster.ClusterException;
import io.capoa.lab.cluster.ManifestFiles;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The release in a checkout's {@code dist/}, rendered again when its sources are newer.
 *
 * @param version such as {@code v0.2.0}
 */
public record Dist(Path folder, String version) {

    private static final Pattern PROJECT_VERSION =
            Pattern.compile("^  <version>(.*?)(?:-SNAPSHOT)?</version>$", Pattern.MULTILINE);

    /**
     * The up-to-date release of the checkout.
     *
     * @throws ClusterException if it cannot be rendered; the message contains the output of the command
     */
    public static Dist current(Path root) {
        try {
            Dist dist = new Dist(root.resolve("dist"), version(root));
            if (!dist.isNewerThan(root)) {
                render(root);
            }
            return dist;
        } catch (IOException e) {
            throw new ClusterException("Cannot read the release in %s: %s".formatted(root.resolve("dist"), e), e);
        }
    }

    /** The objects of a provider's components, with defaults for missing values. */
    public List<GenericKubernetesResource> components(Provider provider, Map<String, String> values) {
        return ManifestFiles.parse(
                Variables.fill(text(provider), values),
                provider.components(folder, version).toString());
    }

    /**
     * Checks the names of values.
     *
     * @throws ClusterException if no provider has a variable of that name; the message names those that there are
     */
    public void requireVariables(Set<String> names) {
        SortedSet<String> known = new TreeSet<>();
        for (Provider provider : Provider.values()) {
            known.addAll(Variables.names(text(provider)));
        }
        for (String name : names) {
            if (!known.contains(name)) {
                throw new ClusterException("The providers have no variable %s; their variables are %s."
                        .formatted(name, String.join(", ", known)));
            }
        }
    }

    private String text(Provider provider) {
        Path file = provider.components(folder, version);
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new ClusterException("Cannot read the components %s: %s".formatted(file, e.getMessage()), e);
        }
    }

    private boolean isNewerThan(Path root) throws IOException {
        FileTime oldest = null;
        for (Provider provider : Provider.values()) {
            Path file = provider.components(folder, version);
            if (!Files.exists(file)) {
                return false;
            }
            FileTime time = Files.getLastModifiedTime(file);
            oldest = oldest == null || time.compareTo(oldest) < 0 ? time : oldest;
        }
        Optional<FileTime> newest = newest(root.resolve("config"), root.resolve("crds"), root.resolve("pom.xml"));
        return oldest != null && newest.isPresent() && newest.get().compareTo(oldest) <= 0;
    }

    private static Optional<FileTime> newest(Path... sources) throws IOException {
        Optional<FileTime> newest = Optional.empty();
        for (Path source : sources) {
            try (Stream<Path> files = Files.walk(source)) {
                for (Path file : files.toList()) {
                    FileTime time = Files.getLastModifiedTime(file);
                    newest = Stream.concat(newest.stream(), Stream.of(time)).max(Comparator.naturalOrder());
                }
            }
        }
        return newest;
    }

    private static String version(Path root) throws IOException {
        Matcher matcher = PROJECT_VERSION.matcher(Files.readString(root.resolve("pom.xml")));
        if (!matcher.find()) {
            throw new ClusterException("%s contains no version.".formatted(root.resolve("pom.xml")));
        }
        return "v" + matcher.group(1);
    }

    private static void render(Path root) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                        root.resolve("config").resolve("release").toString(), "--manifests-only")
                .redirectErrorStream(true);
        builder.environment()
                .put("KUBECTL", Binaries.ofThisProcess().renderingKubectl().toString());
        Process process = builder.start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (process.waitFor() != 0) {
                throw new ClusterException(
                        "config/release cannot render the components of the providers: %s".formatted(said.strip()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            process.destroy();
            throw new ClusterException("Interrupted while config/release rendered the components.", e);
        }
    }
}
