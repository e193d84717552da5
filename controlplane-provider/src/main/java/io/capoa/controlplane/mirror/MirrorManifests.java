package io.capoa.controlplane.mirror;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.capoa.api.untrusted.UntrustedContent;
import io.capoa.controlplane.mirror.RegistriesConf.Mirror;
import io.capoa.controlplane.mirror.RegistriesConf.Pull;
import io.capoa.controlplane.mirror.RegistriesConf.Registry;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The manifests that configure mirror registries in the installed cluster, by file name: ImageDigestMirrorSet,
 * ImageTagMirrorSet, the certificates, and {@code Image} {@code cluster} (config.openshift.io/v1).
 *
 * <p>A mirror without {@code pull-from-mirror} serves digests only, as in OpenShift's installer; one with {@code
 * pull-from-mirror = "all"} also serves tags, unless {@code mirror-by-digest-only} forbids it.
 */
final class MirrorManifests {

    static final String DIGEST_MIRRORS = "image-digest-mirror-set.json";
    static final String TAG_MIRRORS = "image-tag-mirror-set.json";
    static final String CERTIFICATE = "additional-registry-certificate.json";
    static final String IMAGE_CONFIG = "image-config.json";

    private static final ObjectMapper JSON = UntrustedContent.json();
    private static final String CONFIG_API = "config.openshift.io/v1";
    private static final String NAME = "additional-registry";
    private static final String CERTIFICATE_NAME = "additional-registry-certificate";

    /** A valid ConfigMap key; IPv6 addresses in brackets are not. */
    private static final Pattern KEY = Pattern.compile("[-._a-zA-Z0-9]+");

    private MirrorManifests() {}

    /** JSON by file name, without empty manifests. */
    static SortedMap<String, String> of(MirrorRegistry registry) {
        List<Registry> registries = registry.conf().registries();
        SortedMap<String, String> files = new TreeMap<>();
        mirrorSet(
                files,
                DIGEST_MIRRORS,
                "ImageDigestMirrorSet",
                "imageDigestMirrors",
                registries,
                m -> m.pull() != Pull.TAG_ONLY);
        mirrorSet(files, TAG_MIRRORS, "ImageTagMirrorSet", "imageTagMirrors", registries, MirrorManifests::servesTags);
        boolean trusted = !registry.caBundle().isBlank();
        if (trusted) {
            files.put(CERTIFICATE, certificate(registry));
        }
        Map<String, Object> sources = sources(registries);
        if (trusted || !sources.isEmpty()) {
            files.put(IMAGE_CONFIG, imageConfig(trusted, sources));
        }
        return files;
    }

    private static boolean servesTags(Mirror mirror) {
        return mirror.pull() == Pull.TAG_ONLY || mirror.pull() == Pull.ALL;
    }

    private static void mirrorSet(
            Map<String, String> files,
            String file,
            String kind,
            String field,
            List<Registry> registries,
            Predicate<Mirror> serves) {
        List<Object> entries = new ArrayList<>();
        for (Registry registry : registries) {
            Predicate<Mirror> counts =
                    kind.equals("ImageTagMirrorSet") && registry.digestOnly() ? mirror -> false : serves;
            Map<String, Object> entry = mirrors(registry, counts);
            if (!entry.isEmpty()) {
                entries.add(entry);
            }
        }
        if (!entries.isEmpty()) {
            files.put(file, json(object(CONFIG_API, kind, Map.of("name", NAME), "spec", Map.of(field, entries))));
        }
    }

    /** An image with another location is pulled from there last, and never from the registry in its name. */
    private static Map<String, Object> mirrors(Registry registry, Predicate<Mirror> serves) {
        Set<String> locations = new LinkedHashSet<>();
        registry.mirrors().stream().filter(serves).map(Mirror::location).forEach(locations::add);
        if (registry.moved() && !registry.blocked()) {
            locations.add(registry.location());
        }
        if (locations.isEmpty()) {
            return Map.of();
        }
        SortedMap<String, Object> entry = new TreeMap<>();
        entry.put("source", registry.prefix());
        entry.put("mirrors", List.copyOf(locations));
        if (registry.blocked() || registry.moved()) {
            entry.put("mirrorSourcePolicy", "NeverContactSource");
        }
        return entry;
    }

    /** {@code Image.spec.registrySources}: insecure and blocked registries. */
    private static Map<String, Object> sources(List<Registry> registries) {
        Set<String> insecure = new LinkedHashSet<>();
        Set<String> blocked = new LinkedHashSet<>();
        for (Registry registry : registries) {
            if (registry.insecure()) {
                insecure.add(registry.location().isEmpty() ? registry.prefix() : registry.location());
            }
            registry.mirrors().stream()
                    .filter(Mirror::insecure)
                    .map(Mirror::location)
                    .forEach(insecure::add);
            if (registry.blocked() && registry.mirrors().isEmpty()) {
                blocked.add(registry.prefix());
            }
        }
        SortedMap<String, Object> sources = new TreeMap<>();
        if (!insecure.isEmpty()) {
            sources.put("insecureRegistries", List.copyOf(insecure));
        }
        if (!blocked.isEmpty()) {
            sources.put("blockedRegistries", List.copyOf(blocked));
        }
        return sources;
    }

    /** OpenShift's key of a registry's certificates: the host, with two dots before the port. */
    private static String certificate(MirrorRegistry registry) {
        SortedMap<String, String> data = new TreeMap<>();
        data.put(MirrorRegistry.CA_KEY, registry.caBundle());
        for (Registry entry : registry.conf().registries()) {
            Stream.concat(Stream.of(entry.location()), entry.mirrors().stream().map(Mirror::location))
                    .map(MirrorManifests::host)
                    .filter(KEY.asMatchPredicate())
                    .forEach(host -> data.put(host, registry.caBundle()));
        }
        return json(object(
                "v1", "ConfigMap", Map.of("name", CERTIFICATE_NAME, "namespace", "openshift-config"), "data", data));
    }

    private static String host(String location) {
        int slash = location.indexOf('/');
        return (slash < 0 ? location : location.substring(0, slash)).replace(":", "..");
    }

    private static String imageConfig(boolean trusted, Map<String, Object> sources) {
        SortedMap<String, Object> spec = new TreeMap<>();
        if (trusted) {
            spec.put("additionalTrustedCA", Map.of("name", CERTIFICATE_NAME));
        }
        if (!sources.isEmpty()) {
            spec.put("registrySources", sources);
        }
        return json(object(CONFIG_API, "Image", Map.of("name", "cluster"), "spec", spec));
    }

    private static SortedMap<String, Object> object(
            String apiVersion, String kind, Map<String, String> metadata, String field, Object content) {
        SortedMap<String, Object> object = new TreeMap<>();
        object.put("apiVersion", apiVersion);
        object.put("kind", kind);
        object.put("metadata", new TreeMap<>(metadata));
        object.put(field, content);
        return object;
    }

    private static String json(Object object) {
        try {
            return JSON.writeValueAsString(object);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("maps of text can be written as JSON", e);
        }
    }
}
