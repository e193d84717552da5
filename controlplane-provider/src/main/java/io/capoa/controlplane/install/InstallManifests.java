package io.capoa.controlplane.install;

import io.capoa.api.LocalReference;
import io.capoa.api.controlplane.v1beta1.ClusterConfig;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.lint.manifest.ManifestFile;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The user's additional manifests: the ConfigMaps that hold them, and their validation. */
public final class InstallManifests {

    /** File name suffixes that assisted-service accepts: manifests, and patches of the installer's manifests. */
    private static final Pattern ACCEPTED = Pattern.compile(".*\\.(yaml|yml|json|patch[^.]*)");

    private static final Pattern PATCH = Pattern.compile(".*\\.patch[^.]*");

    private InstallManifests() {}

    /** Names of the ConfigMaps in {@code spec.config.manifestsConfigMapRefs}, in order, without duplicates. */
    public static List<String> chosen(ControlPlaneIdentity identity) {
        ClusterConfig config = identity.controlPlane().getSpec().config();
        List<LocalReference> references = config == null ? null : config.manifestsConfigMapRefs();
        if (references == null) {
            return List.of();
        }
        return references.stream()
                .map(LocalReference::name)
                .filter(Objects::nonNull)
                .filter(name -> !name.isEmpty())
                .distinct()
                .toList();
    }

    /** Characters of all keys and values, those that are no text included: whatever the ConfigMap takes in memory. */
    public static long length(ConfigMap map) {
        return Stream.of(map.getData(), map.getBinaryData())
                .filter(Objects::nonNull)
                .flatMap(data -> data.entrySet().stream())
                .mapToLong(entry ->
                        entry.getKey().length() + (long) entry.getValue().length())
                .sum();
    }

    /** The manifests of ConfigMaps, in order of map and key; patches of the installer's manifests are left out. */
    public static List<ManifestFile> files(List<ConfigMap> maps) {
        List<ManifestFile> files = new ArrayList<>();
        for (ConfigMap map : maps) {
            Map<String, String> data = map.getData() == null ? Map.of() : map.getData();
            new TreeMap<>(data).forEach((key, text) -> {
                if (!PATCH.matcher(key).matches()) {
                    String name = "key %s of ConfigMap %s"
                            .formatted(key, map.getMetadata().getName());
                    files.add(new ManifestFile(name, text));
                }
            });
        }
        return files;
    }

    /**
     * Why assisted-service would reject the manifests, naming ConfigMap and key; {@code null} if it accepts them.
     *
     * @param maps the user's ConfigMaps and the provider's own, in order
     */
    public static @Nullable String problem(List<ConfigMap> maps) {
        SortedMap<String, String> owners = new TreeMap<>();
        for (ConfigMap map : maps) {
            String name = map.getMetadata().getName();
            Map<String, String> data = map.getData() == null ? Map.of() : map.getData();
            for (String key : new TreeSet<>(data.keySet())) {
                if (!ACCEPTED.matcher(key).matches()) {
                    return "key %s of ConfigMap %s is not the name of a manifest: let it end in .yaml, .yml, .json or .patch"
                            .formatted(key, name);
                }
                String other = owners.putIfAbsent(key, name);
                if (other != null) {
                    return "key %s is in ConfigMap %s and in ConfigMap %s: rename one of them, it becomes a file name"
                            .formatted(key, other, name);
                }
            }
        }
        return null;
    }
}
