package io.capoa.api.rules;

import io.capoa.api.untrusted.UntrustedContent;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A parsed container image reference.
 *
 * @param registry host, with port if there is one; {@code docker.io} where the text names none
 * @param path the repository below the registry
 * @param digest {@code sha256:…}; {@code null} for a reference by tag
 */
public record ImageReference(
        String registry,
        String path,
        @Nullable String tag,
        @Nullable String digest) {

    /** A host name has 253 characters, a repository 255, a tag 128, a digest 71. */
    private static final int LONGEST = 720;

    private static final String DOCKER = "docker.io";
    private static final Pattern HOST =
            Pattern.compile("(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\\[[0-9A-Fa-f:]+])(?::\\d{1,5})?");
    private static final Pattern REST =
            Pattern.compile("([a-z0-9]+(?:[._-]+[a-z0-9]+)*(?:/[a-z0-9]+(?:[._-]+[a-z0-9]+)*)*)"
                    + "(?::([A-Za-z0-9_][A-Za-z0-9_.-]{0,127}))?(?:@(sha256:[0-9a-f]{64}))?");

    /**
     * Reads a reference.
     *
     * @throws IllegalArgumentException the text is no image reference; the message quotes it
     */
    public static ImageReference parse(String text) {
        if (text.length() > LONGEST) {
            throw new IllegalArgumentException("\"%s\" is not an image reference: it has more than %d characters"
                    .formatted(UntrustedContent.quoted(text), LONGEST));
        }
        int slash = text.indexOf('/');
        String first = slash < 0 ? "" : text.substring(0, slash);
        boolean named = first.contains(".") || first.contains(":") || first.equals("localhost");
        String registry = named ? first : DOCKER;
        String rest = named ? text.substring(slash + 1) : text;
        Matcher m = REST.matcher(rest);
        if (!HOST.matcher(registry).matches() || !m.matches()) {
            throw new IllegalArgumentException(
                    "\"%s\" is not an image reference: write <registry>/<repository>:<tag> or <registry>/<repository>@sha256:<digest>"
                            .formatted(UntrustedContent.quoted(text)));
        }
        String path = registry.equals(DOCKER) && !m.group(1).contains("/") ? "library/" + m.group(1) : m.group(1);
        String tag = m.group(2) == null && m.group(3) == null ? "latest" : m.group(2);
        return new ImageReference(registry, path, tag, m.group(3));
    }

    /** Registry and path, without tag or digest. */
    public String repository() {
        return registry + "/" + path;
    }

    /** What the registry is asked for: the digest if there is one, otherwise the tag. */
    public String version() {
        return digest != null ? digest : String.valueOf(tag);
    }

    /** The same repository by digest alone. */
    public ImageReference withDigest(String sha256) {
        return new ImageReference(registry, path, null, sha256);
    }

    @Override
    public String toString() {
        return repository() + (tag == null ? "" : ":" + tag) + (digest == null ? "" : "@" + digest);
    }
}
