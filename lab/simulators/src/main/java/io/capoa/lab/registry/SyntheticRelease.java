package io.capoa.lab.registry;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.capoa.lab.registry.SyntheticImage.Entry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Generates release images that resemble published ones: the list of components is in the small newest layer. */
public final class SyntheticRelease {

    /** Path of the list of components in the image. */
    public static final String IMAGE_REFERENCES = "release-manifests/image-references";

    private static final Pattern MINOR = Pattern.compile("4\\.(\\d{1,4}).*");
    private static final Pattern ARCHITECTURE = Pattern.compile("(.+)-(x86_64|aarch64|ppc64le|s390x|multi)");
    private static final Map<String, String> PLATFORMS =
            new TreeMap<>(Map.of("x86_64", "amd64", "aarch64", "arm64", "ppc64le", "ppc64le", "s390x", "s390x"));
    private static final List<String> COMPONENTS = List.of(
            "agent-installer-api-server",
            "baremetal-installer",
            "cli",
            "cluster-etcd-operator",
            "cluster-version-operator",
            "hyperkube",
            "installer",
            "machine-config-operator",
            "must-gather",
            "rhel-coreos");
    private static final ObjectMapper JSON = new ObjectMapper();

    private SyntheticRelease() {}

    /** The image of a tag such as {@code 4.20.0-multi}, {@code 4.20.0-x86_64} or, for OKD, {@code 4.18.0-okd-scos.2}. */
    public static SyntheticImage ofTag(String tag) {
        Matcher m = ARCHITECTURE.matcher(tag);
        if (!m.matches()) {
            return image(tag, "amd64");
        }
        if (!m.group(2).equals("multi")) {
            return image(m.group(1), PLATFORMS.getOrDefault(m.group(2), "amd64"));
        }
        Map<String, SyntheticImage> images = new TreeMap<>();
        PLATFORMS.values().forEach(platform -> images.put(platform, image(m.group(1), platform)));
        return SyntheticImage.index(images);
    }

    /** Kubernetes 1.(N+13).5 for OpenShift 4.N; that of 4.20 for a version without a number. */
    public static String kubernetes(String version) {
        Matcher m = MINOR.matcher(version);
        return "1." + ((m.matches() ? Integer.parseInt(m.group(1)) : 20) + 13) + ".5";
    }

    /** The list of components of a version, an ImageStream in JSON. */
    public static String imageReferences(String version) {
        List<Map<String, Object>> tags = new ArrayList<>();
        for (String component : COMPONENTS) {
            Map<String, Object> tag = new LinkedHashMap<>();
            tag.put("name", component);
            tag.put("annotations", annotations(component, version));
            tag.put("from", Map.of("kind", "DockerImage"));
            tags.add(tag);
        }
        Map<String, Object> stream = new LinkedHashMap<>();
        stream.put("kind", "ImageStream");
        stream.put("apiVersion", "image.openshift.io/v1");
        stream.put("metadata", Map.of("name", version));
        stream.put("spec", Map.of("tags", tags));
        try {
            return JSON.writeValueAsString(stream);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("cannot be written as JSON", e);
        }
    }

    private static Map<String, String> annotations(String component, String version) {
        return switch (component) {
            case "hyperkube" -> Map.of("io.openshift.build.versions", "kubernetes=" + kubernetes(version));
            case "cli" -> Map.of("io.openshift.build.versions", "kubectl=" + kubernetes(version));
            default -> Map.of("io.openshift.build.source-location", "");
        };
    }

    private static SyntheticImage image(String version, String platform) {
        String base = ("content of the base image for " + platform + "\n").repeat(2_000);
        return SyntheticImage.of(
                platform,
                List.of(
                        List.of(Entry.file("usr/lib/base", base)),
                        List.of(Entry.file("usr/bin/cluster-version-operator", base)),
                        List.of(
                                Entry.file("release-manifests/release-metadata", metadata(version, platform)),
                                Entry.file(IMAGE_REFERENCES, imageReferences(version)))));
    }

    private static String metadata(String version, String platform) {
        return "{\"kind\":\"cincinnati-metadata-v0\",\"version\":\"%s\",\"metadata\":{\"architecture\":\"%s\"}}"
                .formatted(version, platform);
    }
}
