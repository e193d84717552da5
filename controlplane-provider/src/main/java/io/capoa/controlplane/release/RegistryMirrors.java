package io.capoa.controlplane.release;

import io.capoa.api.rules.ImageReference;
import io.capoa.controlplane.mirror.RegistriesConf;
import io.capoa.controlplane.mirror.RegistriesConf.Mirror;
import io.capoa.controlplane.mirror.RegistriesConf.Pull;
import io.capoa.controlplane.mirror.RegistriesConf.Registry;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Mirrors of image registries, from one or several {@code registries.conf}; the first that matches decides. */
public final class RegistryMirrors {

    /**
     * A place to fetch an image from.
     *
     * @param insecure plain HTTP and unverified certificates are accepted
     */
    record Source(ImageReference image, boolean insecure) {}

    /** Files in the order in which they are asked; in each the longest prefix comes first. */
    private final List<List<Registry>> files;

    private RegistryMirrors(List<List<Registry>> files) {
        this.files = files;
    }

    /** No mirrors: every image is fetched from its own registry. */
    public static RegistryMirrors none() {
        return new RegistryMirrors(List.of());
    }

    /**
     * Reads the text of a {@code registries.conf}.
     *
     * @throws IllegalArgumentException the text is no TOML or lacks a field; the message says where
     */
    public static RegistryMirrors parse(String registriesConf) {
        return of(RegistriesConf.parse(registriesConf));
    }

    public static RegistryMirrors of(RegistriesConf conf) {
        List<Registry> file = conf.registries().stream()
                .sorted(Comparator.comparingInt(
                                (Registry registry) -> registry.prefix().length())
                        .reversed())
                .toList();
        return file.isEmpty() ? none() : new RegistryMirrors(List.of(file));
    }

    /** These mirrors, and for images that they say nothing about the others. */
    RegistryMirrors over(RegistryMirrors others) {
        return new RegistryMirrors(
                Stream.concat(files.stream(), others.files.stream()).toList());
    }

    /** Equal for files of equal meaning. */
    public String fingerprint() {
        return files.stream().map(file -> Fingerprint.of(file.toString())).collect(Collectors.joining("+"));
    }

    /**
     * The places to try, in order: the mirrors that serve this kind of reference, then the registry itself unless it is
     * blocked.
     *
     * @return empty if the user blocked the registry and no mirror serves
     */
    List<Source> sources(ImageReference image) {
        Optional<Registry> match = files.stream()
                .flatMap(file -> file.stream()
                        .filter(registry -> matches(registry.prefix(), image))
                        .limit(1))
                .findFirst();
        if (match.isEmpty()) {
            return List.of(new Source(image, false));
        }
        Registry registry = match.get();
        List<Source> sources = new ArrayList<>();
        for (Mirror mirror : registry.mirrors()) {
            if (serves(registry, mirror, image)) {
                sources.add(new Source(moved(image, registry.prefix(), mirror.location()), mirror.insecure()));
            }
        }
        if (!registry.blocked()) {
            sources.add(new Source(moved(image, registry.prefix(), registry.location()), registry.insecure()));
        }
        return sources;
    }

    private static boolean serves(Registry registry, Mirror mirror, ImageReference image) {
        return image.digest() != null
                ? mirror.pull() != Pull.TAG_ONLY
                : mirror.pull() != Pull.DIGEST_ONLY && !registry.digestOnly();
    }

    private static boolean matches(String prefix, ImageReference image) {
        if (prefix.startsWith("*.")) {
            return image.registry().endsWith(prefix.substring(1));
        }
        String reference = image.toString();
        return reference.startsWith(prefix)
                && (reference.length() == prefix.length() || "/:@".indexOf(reference.charAt(prefix.length())) >= 0)
                // A colon after a bare host begins a port, which makes it another registry.
                && !(prefix.indexOf('/') < 0 && !image.registry().equals(prefix));
    }

    private static ImageReference moved(ImageReference image, String prefix, String location) {
        if (location.isEmpty()) {
            return image;
        }
        String reference = image.toString();
        String rest = prefix.startsWith("*.")
                ? reference.substring(image.registry().length())
                : reference.substring(prefix.length());
        return ImageReference.parse(location + rest);
    }
}
