package io.capoa.bootstrap.boot;

import io.capoa.api.contract.InfraEnv;
import io.capoa.api.contract.InfraEnvView;
import java.util.stream.Stream;
import okhttp3.HttpUrl;
import okio.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * The media that assisted-service has published for an InfraEnv.
 *
 * @param ignition where its discovery ignition is, as this process reaches it
 * @param hostIgnition where it is as the host reaches it
 * @param iso where its ISO is, as the host's management controller reaches it
 * @param problem names the field that holds something else than an HTTP address, {@code null} if none does
 */
public record BootMedia(
        @Nullable HttpUrl ignition,
        @Nullable HttpUrl hostIgnition,
        @Nullable String iso,
        @Nullable String problem) {

    public static final BootMedia NONE = new BootMedia(null, null, null, null);

    /** Reads the InfraEnv's status; of an address that is none, nothing is used. */
    public static BootMedia of(InfraEnv infraEnv, AssistedServiceAddress service) {
        InfraEnvView view = InfraEnvView.of(infraEnv);
        String problem = Stream.of(InfraEnvView.Url.values())
                .filter(url -> !isAddress(view.url(url)))
                .findFirst()
                .map(url -> url.field() + " is not an http or https URL")
                .orElse(null);
        return problem != null
                ? new BootMedia(null, null, null, problem)
                : new BootMedia(
                        DiscoveryIgnitionUrl.of(infraEnv, service).orElse(null),
                        DiscoveryIgnitionUrl.published(infraEnv).orElse(null),
                        view.url(InfraEnvView.Url.ISO),
                        null);
    }

    /**
     * A fingerprint of the discovery ignition, as far as it can be told without a download: of its address, token included,
     * and of what assisted-service makes it from. It gives none of it away; {@code null} without an address.
     *
     * @param infraEnv whose media these are
     * @param network fingerprints of the network settings that it selects
     */
    public @Nullable String ignitionDigest(InfraEnv infraEnv, String network) {
        if (ignition == null) {
            return null;
        }
        // The generation moves with the spec, the time when assisted-service has taken over what was changed.
        String made = InfraEnvView.of(infraEnv).createdTime();
        Long generation = infraEnv.getMetadata().getGeneration();
        String all = String.join("\n", ignition.toString(), String.valueOf(generation), String.valueOf(made), network);
        return digest(all);
    }

    /**
     * A fingerprint of a reference to the discovery ignition: of the address, token included, and of the certificates. What
     * is behind the address does not count, because the host fetches it when it boots; {@code null} without an address.
     *
     * @param certificates in PEM
     */
    public @Nullable String referenceDigest(String certificates) {
        return hostIgnition == null ? null : digest(hostIgnition + "\n" + certificates);
    }

    private static String digest(String all) {
        return ByteString.encodeUtf8(all).sha256().hex().substring(0, 32);
    }

    private static boolean isAddress(@Nullable String text) {
        return text == null || text.isEmpty() || HttpUrl.parse(text) != null;
    }
}
