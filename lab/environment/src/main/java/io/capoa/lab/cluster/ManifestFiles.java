package io.capoa.lab.cluster;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reads YAML manifests as generic objects, without losing unknown fields. */
public final class ManifestFiles {

    private static final KubernetesSerialization YAML = new KubernetesSerialization();
    private static final Pattern DOCUMENT_END = Pattern.compile("^---\\s*$", Pattern.MULTILINE);

    private ManifestFiles() {}

    /** Objects in all YAML files below a folder, in the order of the file names; none if the folder does not exist. */
    static List<GenericKubernetesResource> below(Path folder, Predicate<Path> wanted) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            List<GenericKubernetesResource> objects = new ArrayList<>();
            for (Path file :
                    files.filter(ManifestFiles::isYaml).filter(wanted).sorted().toList()) {
                objects.addAll(parse(Files.readString(file), file.toString()));
            }
            return objects;
        } catch (IOException e) {
            throw new ClusterException("Cannot read the manifests below %s: %s".formatted(folder, e.getMessage()), e);
        }
    }

    /** Objects in a resource next to this class. */
    static List<GenericKubernetesResource> resource(String name) {
        try (InputStream in = ManifestFiles.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name + " is missing from the jar");
            }
            return parse(new String(in.readAllBytes(), StandardCharsets.UTF_8), name);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Objects in one text; documents that are not Kubernetes objects, such as empty ones, are skipped. */
    public static List<GenericKubernetesResource> parse(String text, String origin) {
        List<GenericKubernetesResource> objects = new ArrayList<>();
        for (String document : DOCUMENT_END.splitAsStream(text).toList()) {
            if (document.lines()
                    .allMatch(line -> line.isBlank() || line.stripLeading().startsWith("#"))) {
                continue;
            }
            try {
                GenericKubernetesResource object = YAML.unmarshal(document, GenericKubernetesResource.class);
                if (object != null && object.getKind() != null && object.getMetadata() != null) {
                    objects.add(object);
                }
            } catch (RuntimeException e) {
                throw new ClusterException("%s is not a valid manifest: %s".formatted(origin, e.getMessage()), e);
            }
        }
        return objects;
    }

    private static boolean isYaml(Path file) {
        String name = file.getFileName().toString();
        return name.endsWith(".yaml") || name.endsWith(".yml");
    }
}
