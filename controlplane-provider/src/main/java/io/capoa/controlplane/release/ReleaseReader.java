package io.capoa.controlplane.release;

import static io.capoa.api.controlplane.v1beta1.ControlPlaneConditions.RELEASE_IMAGE_INVALID;
import static io.capoa.api.controlplane.v1beta1.ControlPlaneConditions.RELEASE_REGISTRY_UNREACHABLE;

import com.fasterxml.jackson.core.JacksonException;
import io.capoa.api.rules.ImageReference;
import io.capoa.controlplane.release.RegistryClient.Session;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads a release from its image: the manifest, the image of one platform if it is an index, and the newest layer that
 * has the file. That is three requests, one for a redirect of the layer, and two for a token if the registry asks.
 */
final class ReleaseReader implements ReleaseResolver {

    private static final int MOST_LINKS = 5;

    private final RegistryClient client;
    private final KnownReleases known;
    private final RegistryLimits limits;

    ReleaseReader(RegistryClient client, KnownReleases known, RegistryLimits limits) {
        this.client = client;
        this.known = known;
        this.limits = limits;
    }

    @Override
    public Release resolve(ImageReference image, PullSecret pullSecret, RegistryAccess access)
            throws RegistryException, InterruptedException {
        List<RegistryMirrors.Source> sources = sources(image, access);
        Deadline deadline = Deadline.in(limits.timeouts().whole());
        List<RegistryException> failures = new ArrayList<>();
        for (RegistryMirrors.Source source : sources) {
            try {
                Session session = new Session(
                        pullSecret.credentials(source.image()), pullSecret.fingerprint(), access.caBundle(), deadline);
                return read(image, source, session);
            } catch (RegistryException e) {
                failures.add(e);
            }
        }
        if (failures.size() == 1) {
            throw failures.getFirst();
        }
        // The failure of a mirror that answered is more useful than that of an unreachable one.
        RegistryException telling = failures.stream()
                .filter(f -> !f.reason().equals(RELEASE_REGISTRY_UNREACHABLE))
                .findFirst()
                .orElse(failures.getFirst());
        String all = failures.stream().map(Throwable::getMessage).collect(Collectors.joining("; "));
        throw new RegistryException(
                telling.reason(), "release image %s is in none of its mirrors: %s".formatted(image, all), telling);
    }

    private static List<RegistryMirrors.Source> sources(ImageReference image, RegistryAccess access)
            throws RegistryException {
        List<RegistryMirrors.Source> sources;
        try {
            sources = access.mirrors().sources(image);
        } catch (IllegalArgumentException e) {
            throw new RegistryException(
                    RELEASE_IMAGE_INVALID,
                    "registries.conf leads release image %s nowhere: %s".formatted(image, e.getMessage()),
                    e);
        }
        if (sources.isEmpty()) {
            throw new RegistryException(
                    RELEASE_REGISTRY_UNREACHABLE,
                    "registries.conf blocks release image %s: unblock registry %s or choose another repository"
                            .formatted(image, image.registry()));
        }
        return sources;
    }

    private Release read(ImageReference image, RegistryMirrors.Source source, Session session)
            throws RegistryException, InterruptedException {
        byte[] content = client.manifest(source, image.version(), session);
        String digest = image.digest() != null ? image.digest() : Fingerprint.of(content);
        Optional<Release> seen = known.byDigest(image, digest);
        if (seen.isPresent()) {
            return seen.get();
        }
        Manifest manifest = parse(content, image);
        List<String> architectures = List.of();
        if (manifest instanceof Manifest.Index index) {
            Manifest.Platform platform =
                    index.choice().orElseThrow(() -> invalid(image, "its index lists no image", null));
            architectures =
                    index.real().stream().map(Manifest.Platform::architecture).toList();
            manifest = parse(client.manifest(source, platform.digest(), session), image);
        }
        if (!(manifest instanceof Manifest.Image one)) {
            throw invalid(image, "its index lists another index", null);
        }
        ImageReferences references = references(image, one, source, session);
        String kubernetes = references
                .kubernetesVersion()
                .orElseThrow(
                        () -> invalid(image, "no component of /" + ImageReferences.PATH + " says kubernetes=", null));
        return new Release(image.withDigest(digest).toString(), references.version(), kubernetes, architectures);
    }

    private ImageReferences references(
            ImageReference image, Manifest.Image layers, RegistryMirrors.Source source, Session session)
            throws RegistryException, InterruptedException {
        String path = ImageReferences.PATH;
        Quota unpacked = new Quota("what its layers unpack to", limits.unpacked());
        for (int links = 0; links <= MOST_LINKS; links++) {
            LayerSearch.Result result = search(image, path, layers, source, session, unpacked);
            switch (result) {
                case LayerSearch.Result.Found found -> {
                    try {
                        return ImageReferences.parse(found.content().toByteArray());
                    } catch (IOException e) {
                        throw invalid(image, "/" + path + " cannot be read: " + said(e), e);
                    }
                }
                case LayerSearch.Result.Link link -> path = link.path();
                case LayerSearch.Result.Removed ignored ->
                    throw invalid(image, "file /" + path + " was removed from it", null);
                case LayerSearch.Result.Absent ignored -> throw invalid(image, "file /" + path + " is not in it", null);
            }
        }
        throw invalid(
                image, "/" + ImageReferences.PATH + " leads through too many symbolic links, possibly a loop", null);
    }

    /** What the newest layer that knows the path says. */
    private LayerSearch.Result search(
            ImageReference image,
            String path,
            Manifest.Image layers,
            RegistryMirrors.Source source,
            Session session,
            Quota unpacked)
            throws RegistryException, InterruptedException {
        for (Manifest.Layer layer : layers.layers().reversed()) {
            if (layer.size() > limits.layer()) {
                throw invalid(
                        image, "layer %s is larger than %d bytes".formatted(layer.digest(), limits.layer()), null);
            }
            LayerSearch.Result result = client.blob(
                    source,
                    layer.digest(),
                    session,
                    blob -> LayerStream.search(blob, layer, path, limits, unpacked, e -> broken(image, layer, e)));
            if (!(result instanceof LayerSearch.Result.Absent)) {
                return result;
            }
        }
        return new LayerSearch.Result.Absent();
    }

    private static Manifest parse(byte[] content, ImageReference image) throws RegistryException {
        try {
            return Manifest.parse(content);
        } catch (IOException e) {
            throw invalid(image, "its manifest cannot be read: " + said(e), e);
        }
    }

    /** The parser's message, without the content. */
    private static String said(IOException e) {
        return String.valueOf(e instanceof JacksonException parser ? parser.getOriginalMessage() : e.getMessage());
    }

    private static RegistryException broken(ImageReference image, Manifest.Layer layer, IOException e) {
        return invalid(image, "layer %s cannot be used: %s".formatted(layer.digest(), e.getMessage()), e);
    }

    private static RegistryException invalid(ImageReference image, String what, @Nullable Throwable cause) {
        String message =
                "%s is not a usable release image: %s; check the repository and the version".formatted(image, what);
        return cause == null
                ? new RegistryException(RELEASE_IMAGE_INVALID, message)
                : new RegistryException(RELEASE_IMAGE_INVALID, message, cause);
    }
}
