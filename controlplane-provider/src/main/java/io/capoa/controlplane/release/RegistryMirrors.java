package io.capoa.controlplane.release;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.toml.TomlMapper;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where images are really fetched from, as a {@code registries.conf} of version 2 says (containers-registries.conf(5)).
 */
public final class RegistryMirrors {

    private static final TomlMapper TOML = new TomlMapper();

    /** What the user wrote for the images below one prefix. */
    private record Rule(String prefix, String location, boolean blocked, boolean insecure, List<Mirror> mirrors) {}

    /** One mirror of a rule. */
    private record Mirror(String location, boolean insecure, boolean forTags, boolean forDigests) {}

    /**
     * A place to fetch an image from.
     *
     * @param insecure plain HTTP and unverified certificates are accepted
     */
    record Source(ImageReference image, boolean insecure) {}

    private final List<Rule> rules;
    private final String fingerprint;

    private RegistryMirrors(List<Rule> rules, String fingerprint) {
        this.rules = rules;
        this.fingerprint = fingerprint;
    }

    /** Every image is fetched from where its reference says. */
    public static RegistryMirrors none() {
        return new RegistryMirrors(List.of(), "");
    }

    /**
     * Reads the text of a {@code registries.conf}.
     *
     * @throws IllegalArgumentException the text is no TOML or lacks a field; the message says where
     */
    public static RegistryMirrors parse(String registriesConf) {
        JsonNode root;
        try {
            root = TOML.readTree(registriesConf);
        } catch (JacksonException e) {
            throw new IllegalArgumentException(
                    "registries.conf is not TOML: " + e.getOriginalMessage() + " (line "
                            + (e.getLocation() == null
                                    ? "unknown"
                                    : e.getLocation().getLineNr()) + ")",
                    e);
        }
        List<Rule> rules = new ArrayList<>();
        for (JsonNode registry : root.path("registry")) {
            rules.add(rule(registry));
        }
        rules.sort(Comparator.comparingInt((Rule r) -> r.prefix().length()).reversed());
        return new RegistryMirrors(List.copyOf(rules), rules.isEmpty() ? "" : Fingerprint.of(rules.toString()));
    }

    /** Equal for files of equal meaning. */
    public String fingerprint() {
        return fingerprint;
    }

    /**
     * The places to try, in order: the mirrors that serve this kind of reference, then the registry itself.
     *
     * @return empty if the user blocked the registry
     */
    List<Source> sources(ImageReference image) {
        Optional<Rule> match =
                rules.stream().filter(r -> matches(r.prefix(), image)).findFirst();
        if (match.isEmpty()) {
            return List.of(new Source(image, false));
        }
        Rule rule = match.get();
        if (rule.blocked()) {
            return List.of();
        }
        List<Source> sources = new ArrayList<>();
        for (Mirror mirror : rule.mirrors()) {
            if (image.digest() != null ? mirror.forDigests() : mirror.forTags()) {
                sources.add(new Source(moved(image, rule.prefix(), mirror.location()), mirror.insecure()));
            }
        }
        sources.add(new Source(moved(image, rule.prefix(), rule.location()), rule.insecure()));
        return sources;
    }

    private static Rule rule(JsonNode registry) {
        String location = text(registry, "location");
        String prefix = text(registry, "prefix");
        if (prefix == null && location == null) {
            throw new IllegalArgumentException("registries.conf: a [[registry]] needs \"location\" or \"prefix\"");
        }
        if (location == null && !String.valueOf(prefix).startsWith("*.")) {
            throw new IllegalArgumentException(
                    "registries.conf: the [[registry]] with prefix \"%s\" needs \"location\"".formatted(prefix));
        }
        boolean digestOnly = registry.path("mirror-by-digest-only").asBoolean(false);
        List<Mirror> mirrors = new ArrayList<>();
        for (JsonNode mirror : registry.path("mirror")) {
            mirrors.add(mirror(mirror, digestOnly, prefix == null ? location : prefix));
        }
        return new Rule(
                prefix != null ? prefix : String.valueOf(location),
                location == null ? "" : location,
                registry.path("blocked").asBoolean(false),
                registry.path("insecure").asBoolean(false),
                List.copyOf(mirrors));
    }

    private static Mirror mirror(JsonNode mirror, boolean digestOnly, @Nullable String of) {
        String location = text(mirror, "location");
        if (location == null) {
            throw new IllegalArgumentException(
                    "registries.conf: a [[registry.mirror]] of \"%s\" needs \"location\"".formatted(of));
        }
        String pull = mirror.path("pull-from-mirror").asText("all");
        return switch (pull) {
            case "all" -> mirror(location, mirror, !digestOnly, true);
            case "digest-only" -> mirror(location, mirror, false, true);
            case "tag-only" -> mirror(location, mirror, !digestOnly, false);
            default ->
                throw new IllegalArgumentException(
                        "registries.conf: pull-from-mirror of \"%s\" is \"%s\": write all, digest-only or tag-only"
                                .formatted(location, pull));
        };
    }

    private static Mirror mirror(String location, JsonNode mirror, boolean forTags, boolean forDigests) {
        return new Mirror(location, mirror.path("insecure").asBoolean(false), forTags, forDigests);
    }

    private static @Nullable String text(JsonNode node, String field) {
        String value = node.path(field).asText("").strip().replaceFirst("/+$", "");
        return value.isEmpty() ? null : value;
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
