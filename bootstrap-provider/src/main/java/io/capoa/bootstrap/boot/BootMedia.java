package io.capoa.bootstrap.boot;

import io.capoa.api.contract.Fields;
import io.capoa.api.contract.InfraEnv;
import okhttp3.HttpUrl;
import okio.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * What assisted-service has published for an InfraEnv.
 *
 * @param ignition where its discovery ignition is, as this process reaches it
 * @param iso where its ISO is, as the host's management controller reaches it
 */
public record BootMedia(
        @Nullable HttpUrl ignition, @Nullable String iso) {

    public static final BootMedia NONE = new BootMedia(null, null);

    /** Reads the InfraEnv's status. */
    public static BootMedia of(InfraEnv infraEnv, AssistedService service) {
        return new BootMedia(
                DiscoveryIgnitionUrl.of(infraEnv, service).orElse(null),
                Fields.string(infraEnv, "status", "isoDownloadURL"));
    }

    /** A fingerprint of the ignition's address, token included, that gives neither away; {@code null} without one. */
    public @Nullable String ignitionDigest() {
        return ignition == null
                ? null
                : ByteString.encodeUtf8(ignition.toString()).sha256().hex().substring(0, 32);
    }
}
