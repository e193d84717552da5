package io.capoa.controlplane.release;

import io.capoa.api.rules.ImageReference;
import io.capoa.controlplane.mirror.RegistriesConf;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What keeps a release image from being read, as far as it is known before any registry is asked.
 *
 * @param sources the repositories that are asked, in order; empty if the registry is blocked and no mirror serves
 * @param brokenLogin what is wrong with the credentials of one of them
 * @param anonymous those of them for which there are no credentials
 */
public record ReleasePreflight(List<String> sources, Optional<String> brokenLogin, List<String> anonymous) {

    /**
     * Looks at mirrors and credentials.
     *
     * @param image by tag
     * @param mirrors {@code null} for none
     * @throws IllegalArgumentException the image is no reference
     */
    public static ReleasePreflight of(String image, PullSecret secret, @Nullable RegistriesConf mirrors) {
        List<ImageReference> images = (mirrors == null ? RegistryMirrors.none() : RegistryMirrors.of(mirrors))
                .sources(ImageReference.parse(image)).stream()
                        .map(RegistryMirrors.Source::image)
                        .toList();
        return new ReleasePreflight(
                images.stream().map(ImageReference::repository).toList(),
                images.stream().flatMap(one -> broken(secret, one).stream()).findFirst(),
                images.stream()
                        .filter(one -> isAnonymous(secret, one))
                        .map(ImageReference::repository)
                        .toList());
    }

    private static Optional<String> broken(PullSecret secret, ImageReference image) {
        try {
            var unused = secret.credentials(image);
            return Optional.empty();
        } catch (RegistryException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    private static boolean isAnonymous(PullSecret secret, ImageReference image) {
        try {
            return secret.credentials(image) instanceof RegistryCredentials.Anonymous;
        } catch (RegistryException e) {
            return false;
        }
    }
}
