package io.capoa.controlplane.mirror;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.toml.TomlFactory;
import com.fasterxml.jackson.dataformat.toml.TomlMapper;
import io.capoa.api.untrusted.LongInput;
import io.capoa.api.untrusted.UntrustedContent;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A parsed {@code registries.conf} of version 2 (containers-registries.conf(5)), in the order of the file.
 *
 * @param registries its {@code [[registry]]} tables
 */
public record RegistriesConf(List<Registry> registries) {

    private static final TomlMapper TOML = TomlMapper.builder(TomlFactory.builder()
                    .streamReadConstraints(UntrustedContent.constraints())
                    .build())
            .build();

    /** Enough for some thousand registries. */
    private static final int LONGEST = 256 << 10;

    /** An address and a path. */
    private static final int LONGEST_VALUE = 512;

    /**
     * One {@code [[registry]]}.
     *
     * @param prefix prefix of the references that the table applies to, {@code *.domain} for all hosts below a
     *     domain; defaults to the location
     * @param location where such images are pulled from; empty for a wildcard prefix that is not rewritten
     * @param blocked nothing is pulled from the location itself, only from mirrors
     * @param insecure plain HTTP and unverified certificates are accepted
     * @param digestOnly mirrors serve references by digest only
     */
    public record Registry(
            String prefix,
            String location,
            boolean blocked,
            boolean insecure,
            boolean digestOnly,
            List<Mirror> mirrors) {

        /** Whether the location differs from the prefix. */
        public boolean moved() {
            return !location.isEmpty() && !location.equals(prefix);
        }
    }

    /** One {@code [[registry.mirror]]}. */
    public record Mirror(String location, boolean insecure, Pull pull) {}

    /** Which references a mirror serves ({@code pull-from-mirror}). */
    public enum Pull {
        /** Not set: all references, unless {@code mirror-by-digest-only} restricts them. */
        UNSAID,
        ALL,
        DIGEST_ONLY,
        TAG_ONLY
    }

    public RegistriesConf {
        registries = List.copyOf(registries);
    }

    /**
     * Parses a {@code registries.conf}.
     *
     * @throws IllegalArgumentException if the text is not TOML or a field is missing; the message says where
     */
    public static RegistriesConf parse(String text) {
        if (text.length() > LONGEST) {
            throw new IllegalArgumentException(
                    "registries.conf has more than %d characters: shorten it".formatted(LONGEST));
        }
        return LongInput.parse(text.length(), () -> parsed(text));
    }

    private static RegistriesConf parsed(String text) {
        JsonNode root;
        try {
            root = TOML.readTree(text);
        } catch (JacksonException e) {
            throw new IllegalArgumentException(
                    "registries.conf is not TOML: " + UntrustedContent.quoted(String.valueOf(e.getOriginalMessage()))
                            + " (line "
                            + (e.getLocation() == null
                                    ? "unknown"
                                    : e.getLocation().getLineNr()) + ")",
                    e);
        } catch (RuntimeException e) {
            // The parser throws other exceptions for some malformed dates and numbers.
            throw new IllegalArgumentException("registries.conf is not TOML: a value cannot be read", e);
        }
        List<Registry> registries = new ArrayList<>();
        for (JsonNode registry : root.path("registry")) {
            registries.add(registry(registry));
        }
        return new RegistriesConf(registries);
    }

    private static Registry registry(JsonNode registry) {
        String location = text(registry, "location", "[[registry]]");
        String prefix = text(registry, "prefix", "[[registry]]");
        if (prefix == null && location == null) {
            throw new IllegalArgumentException("registries.conf: a [[registry]] needs \"location\" or \"prefix\"");
        }
        if (location == null && !String.valueOf(prefix).startsWith("*.")) {
            throw new IllegalArgumentException(
                    "registries.conf: the [[registry]] with prefix \"%s\" needs \"location\"".formatted(prefix));
        }
        String source = prefix == null ? String.valueOf(location) : prefix;
        boolean digestOnly = registry.path("mirror-by-digest-only").asBoolean(false);
        List<Mirror> mirrors = new ArrayList<>();
        for (JsonNode mirror : registry.path("mirror")) {
            mirrors.add(mirror(mirror, digestOnly, source));
        }
        return new Registry(
                source,
                location == null ? "" : location,
                registry.path("blocked").asBoolean(false),
                registry.path("insecure").asBoolean(false),
                digestOnly,
                List.copyOf(mirrors));
    }

    private static Mirror mirror(JsonNode mirror, boolean digestOnly, String of) {
        String location = text(mirror, "location", "[[registry.mirror]] of \"" + of + "\"");
        if (location == null) {
            throw new IllegalArgumentException(
                    "registries.conf: a [[registry.mirror]] of \"%s\" needs \"location\"".formatted(of));
        }
        Pull pull = pull(mirror.path("pull-from-mirror").asText(""), location);
        if (digestOnly && pull == Pull.TAG_ONLY) {
            throw new IllegalArgumentException(
                    "registries.conf: pull-from-mirror of \"%s\" is \"tag-only\", but mirror-by-digest-only of \"%s\" is true: remove one of them"
                            .formatted(location, of));
        }
        return new Mirror(location, mirror.path("insecure").asBoolean(false), pull);
    }

    private static Pull pull(String text, String location) {
        return switch (text) {
            case "" -> Pull.UNSAID;
            case "all" -> Pull.ALL;
            case "digest-only" -> Pull.DIGEST_ONLY;
            case "tag-only" -> Pull.TAG_ONLY;
            default ->
                throw new IllegalArgumentException(
                        "registries.conf: pull-from-mirror of \"%s\" is \"%s\": write all, digest-only or tag-only"
                                .formatted(location, UntrustedContent.quoted(text)));
        };
    }

    private static @Nullable String text(JsonNode node, String field, String where) {
        JsonNode value = node.path(field);
        if (!value.isMissingNode() && !value.isTextual()) {
            throw new IllegalArgumentException(
                    "registries.conf: \"%s\" of a %s is not text: write it in quotes".formatted(field, where));
        }
        if (value.asText("").length() > LONGEST_VALUE) {
            throw new IllegalArgumentException("registries.conf: \"%s\" of a %s has more than %d characters"
                    .formatted(field, where, LONGEST_VALUE));
        }
        String text = value.asText("").strip().replaceFirst("/+$", "");
        return text.isEmpty() ? null : text;
    }
}
