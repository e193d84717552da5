package io.capoa.lab.metal3;

import io.capoa.api.contract.Fields;
import io.capoa.lab.cluster.ClusterException;
import io.capoa.lab.cluster.ManifestFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Checks that a CAPM3 executable and CustomResourceDefinitions match: releases with Cluster API's v1beta2 contract use
 * version v1beta2 of their kinds, older ones and OpenShift's own v1beta1. The versions of an executable are in the
 * names of its Go packages.
 */
public final class Metal3Contract {

    private static final String PACKAGE = "cluster-api-provider-metal3/api/";
    private static final List<String> NEWEST_FIRST = List.of("v1beta2", "v1beta1");
    private static final String DEFINITION = "metal3machines.infrastructure.cluster.x-k8s.io";
    private static final int CHUNK = 1 << 20;

    private Metal3Contract() {}

    /**
     * The mismatch as a message; empty if they match, or if a version is unknown.
     *
     * @param programs folder with CAPM3's executable
     * @param definitions folder with the CustomResourceDefinitions, searched recursively
     */
    public static Optional<String> mismatch(Path programs, Path definitions) {
        Optional<String> needed = version(programs.resolve(Metal3Programs.CAPM3));
        SortedSet<String> served = served(definitions);
        return needed.isEmpty() || served.isEmpty() || served.contains(needed.get())
                ? Optional.empty()
                : Optional.of(
                        "%s in %s works with Metal3Machine %s, and the definitions in %s serve %s alone: give those of the same release"
                                .formatted(
                                        Metal3Programs.CAPM3,
                                        programs,
                                        needed.get(),
                                        definitions,
                                        String.join(", ", served)));
    }

    /** The newest version of its kinds in the executable. */
    static Optional<String> version(Path executable) {
        return NEWEST_FIRST.stream()
                .filter(version -> contains(executable, PACKAGE + version))
                .findFirst();
    }

    /** The served versions of Metal3Machine; empty without a definition. */
    static SortedSet<String> served(Path definitions) {
        SortedSet<String> served = new TreeSet<>();
        for (Path file : yaml(definitions)) {
            for (var object : ManifestFiles.parse(text(file), file.toString())) {
                if (DEFINITION.equals(object.getMetadata().getName())) {
                    Fields.list(object, "spec", "versions").stream()
                            .filter(version -> Boolean.TRUE.equals(Fields.any(version, "served")))
                            .forEach(version -> served.add(String.valueOf(Fields.any(version, "name"))));
                }
            }
        }
        return served;
    }

    /** Only files with the kind in their name: others may be large. */
    private static List<Path> yaml(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.getFileName().toString().contains("metal3machines"))
                    .filter(Files::isRegularFile)
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new ClusterException("Cannot read the definitions in %s: %s".formatted(folder, e.getMessage()), e);
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new ClusterException("Cannot read %s: %s".formatted(file, e.getMessage()), e);
        }
    }

    /** Reads overlapping chunks: an executable has about 100 MB. */
    private static boolean contains(Path file, String text) {
        String before = "";
        try (InputStream content = Files.newInputStream(file)) {
            byte[] chunk = content.readNBytes(CHUNK);
            while (chunk.length > 0) {
                String now = before + new String(chunk, StandardCharsets.ISO_8859_1);
                if (now.contains(text)) {
                    return true;
                }
                before = now.substring(Math.max(0, now.length() - text.length()));
                chunk = content.readNBytes(CHUNK);
            }
            return false;
        } catch (IOException e) {
            throw new ClusterException("Cannot read %s: %s".formatted(file, e.getMessage()), e);
        }
    }
}
