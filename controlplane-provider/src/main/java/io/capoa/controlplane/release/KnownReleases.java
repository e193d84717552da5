package io.capoa.controlplane.release;

import io.capoa.api.rules.ImageReference;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The releases that registries have resolved, for the whole process. A digest is immutable; a tag may move, so its
 * release becomes stale.
 *
 * <p>Credentials do not matter here: the registry decides about access when the cluster pulls the image, and this
 * cache holds only a digest and two version numbers.
 */
final class KnownReleases {

    private static final int MOST = 1_000;

    /** A release and whether its tag should be looked at again. */
    record Hit(Release release, boolean stale) {}

    private record Tagged(Release release, Instant at) {}

    private final Clock clock;
    private final Duration tagLifetime;
    private final Map<String, Release> byDigest = bounded();
    private final Map<String, Tagged> byTag = bounded();

    KnownReleases(Clock clock, Duration tagLifetime) {
        this.clock = clock;
        this.tagLifetime = tagLifetime;
    }

    synchronized Optional<Hit> find(ImageReference image, RegistryAccess access) {
        String digest = image.digest();
        if (digest != null) {
            return byDigest(image, digest).map(r -> new Hit(r, false));
        }
        return Optional.ofNullable(byTag.get(key(image, access)))
                .map(t -> new Hit(t.release, t.at.plus(tagLifetime).isBefore(clock.instant())));
    }

    synchronized Optional<Release> byDigest(ImageReference image, String digest) {
        return Optional.ofNullable(byDigest.get(digest)).map(r -> r.in(image, digest));
    }

    synchronized void remember(ImageReference image, RegistryAccess access, Release release) {
        byDigest.put(release.image().substring(release.image().indexOf('@') + 1), release);
        if (image.digest() == null) {
            byTag.put(key(image, access), new Tagged(release, clock.instant()));
        }
    }

    /** As {@link #remember}, for a release that was resolved earlier; a known release stays. */
    synchronized void recall(ImageReference image, RegistryAccess access, Release release, Instant at) {
        byDigest.putIfAbsent(release.image().substring(release.image().indexOf('@') + 1), release);
        if (image.digest() == null) {
            byTag.putIfAbsent(key(image, access), new Tagged(release, at));
        }
    }

    /** A mirror may hold another image under a tag than the registry does. */
    private static String key(ImageReference image, RegistryAccess access) {
        return image + "|" + access.fingerprint();
    }

    private static <V> Map<String, V> bounded() {
        return new LinkedHashMap<>(16, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
                return size() > MOST;
            }
        };
    }
}
