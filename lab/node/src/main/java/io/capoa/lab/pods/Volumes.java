package io.capoa.lab.pods;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.KeyToPath;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.VolumeProjection;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The volumes of a pod as folders that follow their Secrets and ConfigMaps. */
final class Volumes {

    private final Pod pod;
    private final Sources sources;
    private final Path folder;
    private final Supplier<String> token;
    private final Map<String, AtomicFolder> folders = new HashMap<>();

    /** @param token ServiceAccount token for projected volumes */
    Volumes(Pod pod, Sources sources, Path folder, Supplier<String> token) {
        this.pod = pod;
        this.sources = sources;
        this.folder = folder;
        this.token = token;
    }

    /**
     * Updates every folder from its source.
     *
     * @throws UnmetRequirement if a required source is missing, or the type of a volume is not supported
     */
    void sync() throws UnmetRequirement, IOException {
        for (Volume volume : pod.getSpec().getVolumes()) {
            Path path = folder.resolve(volume.getName());
            if (volume.getEmptyDir() != null) {
                Files.createDirectories(path);
            } else {
                SortedMap<String, byte[]> files = files(volume);
                var unused = folders.computeIfAbsent(volume.getName(), name -> new AtomicFolder(path))
                        .write(files);
            }
        }
    }

    /** Folders of a container's volumes by mount path. */
    Map<String, Path> mounts(Container container) {
        Map<String, Path> mounts = new TreeMap<>();
        for (VolumeMount mount : container.getVolumeMounts()) {
            Path path = folder.resolve(mount.getName());
            mounts.put(
                    mount.getMountPath().replaceAll("(?<=.)/+$", ""),
                    mount.getSubPath() == null ? path : path.resolve(mount.getSubPath()));
        }
        return mounts;
    }

    private SortedMap<String, byte[]> files(Volume volume) throws UnmetRequirement {
        if (volume.getSecret() != null) {
            var source = volume.getSecret();
            return secret(volume.getName(), source.getSecretName(), source.getItems(), source.getOptional());
        }
        if (volume.getConfigMap() != null) {
            var source = volume.getConfigMap();
            return configMap(volume.getName(), source.getName(), source.getItems(), source.getOptional());
        }
        if (volume.getProjected() != null) {
            SortedMap<String, byte[]> files = new TreeMap<>();
            for (VolumeProjection projection : volume.getProjected().getSources()) {
                files.putAll(projected(volume.getName(), projection));
            }
            return files;
        }
        throw unknown(volume.getName());
    }

    private SortedMap<String, byte[]> projected(String volume, VolumeProjection projection) throws UnmetRequirement {
        if (projection.getSecret() != null) {
            var source = projection.getSecret();
            return secret(volume, source.getName(), source.getItems(), source.getOptional());
        }
        if (projection.getConfigMap() != null) {
            var source = projection.getConfigMap();
            return configMap(volume, source.getName(), source.getItems(), source.getOptional());
        }
        if (projection.getServiceAccountToken() != null) {
            SortedMap<String, byte[]> files = new TreeMap<>();
            files.put(projection.getServiceAccountToken().getPath(), token.get().getBytes(StandardCharsets.UTF_8));
            return files;
        }
        throw unknown(volume);
    }

    private SortedMap<String, byte[]> secret(
            String volume, String name, @Nullable List<KeyToPath> items, @Nullable Boolean optional)
            throws UnmetRequirement {
        Secret secret = sources.secret(pod.getMetadata().getNamespace(), name).orElse(null);
        SortedMap<String, byte[]> values = new TreeMap<>();
        if (secret == null) {
            return none(volume, "secret", name, optional);
        }
        decoded(secret.getData(), values);
        return chosen(volume, name, values, items, optional);
    }

    private SortedMap<String, byte[]> configMap(
            String volume, String name, @Nullable List<KeyToPath> items, @Nullable Boolean optional)
            throws UnmetRequirement {
        ConfigMap map =
                sources.configMap(pod.getMetadata().getNamespace(), name).orElse(null);
        SortedMap<String, byte[]> values = new TreeMap<>();
        if (map == null) {
            return none(volume, "configmap", name, optional);
        }
        Objects.requireNonNullElse(map.getData(), Map.<String, String>of())
                .forEach((key, value) -> values.put(key, value.getBytes(StandardCharsets.UTF_8)));
        decoded(map.getBinaryData(), values);
        return chosen(volume, name, values, items, optional);
    }

    private static void decoded(@Nullable Map<String, String> data, SortedMap<String, byte[]> values) {
        if (data != null) {
            data.forEach((key, value) -> values.put(key, Base64.getDecoder().decode(value)));
        }
    }

    private static SortedMap<String, byte[]> none(String volume, String kind, String name, @Nullable Boolean optional)
            throws UnmetRequirement {
        if (Boolean.TRUE.equals(optional)) {
            return new TreeMap<>();
        }
        throw new UnmetRequirement(
                Waiting.CREATING,
                "MountVolume.SetUp failed for volume \"%s\" : %s \"%s\" not found".formatted(volume, kind, name));
    }

    private static SortedMap<String, byte[]> chosen(
            String volume,
            String source,
            SortedMap<String, byte[]> values,
            @Nullable List<KeyToPath> items,
            @Nullable Boolean optional)
            throws UnmetRequirement {
        if (items == null || items.isEmpty()) {
            return values;
        }
        SortedMap<String, byte[]> files = new TreeMap<>();
        for (KeyToPath item : items) {
            byte[] value = values.get(item.getKey());
            if (value != null) {
                files.put(item.getPath(), value);
            } else if (!Boolean.TRUE.equals(optional)) {
                throw new UnmetRequirement(
                        Waiting.CREATING,
                        "MountVolume.SetUp failed for volume \"%s\" : %s has no key %s"
                                .formatted(volume, source, item.getKey()));
            }
        }
        return files;
    }

    private static UnmetRequirement unknown(String volume) {
        return new UnmetRequirement(
                Waiting.CREATING,
                "volume \"%s\" is of a kind that this node does not have: it has secret, configMap, emptyDir and projected"
                                .formatted(volume)
                        + " ones of secret, configMap and serviceAccountToken");
    }
}
