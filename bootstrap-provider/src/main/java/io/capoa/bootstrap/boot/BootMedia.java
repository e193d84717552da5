package io.capoa.bootstrap.boot;

import io.capoa.api.contract.Fields;
import io.capoa.api.contract.InfraEnv;
import java.util.stream.Stream;
import okhttp3.HttpUrl;
import okio.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * What assisted-service has published for an InfraEnv.
 *
 * @param ignition where its discovery ignition is, as this process reaches it
 * @param iso where its ISO is, as the host's management controller reaches it
 * @param problem names the field that holds something else than an HTTP address, {@code null} if none does
 */
public record BootMedia(
        @Nullable HttpUrl ignition,
        @Nullable String iso,
        @Nullable String problem) {

    public static final BootMedia NONE = new BootMedia(null, null, null);

    private static final String[] ISO = {"status", "isoDownloadURL"};

    /** Reads the InfraEnv's status; of an address that is none, nothing is used. */
    public static BootMedia of(InfraEnv infraEnv, AssistedService service) {
        String problem = Stream.of(ISO, DiscoveryIgnitionUrl.DIRECT, DiscoveryIgnitionUrl.EVENTS)
                .filter(path -> !isAddress(Fields.string(infraEnv, path)))
                .findFirst()
                .map(path -> String.join(".", path) + " is not an http or https URL")
                .orElse(null);
        return problem != null
                ? new BootMedia(null, null, problem)
                : new BootMedia(
                        DiscoveryIgnitionUrl.of(infraEnv, service).orElse(null), Fields.string(infraEnv, ISO), null);
    }

    /** A fingerprint of the ignition's address, token included, that gives neither away; {@code null} without one. */
    public @Nullable String ignitionDigest() {
        return ignition == null
                ? null
                : ByteString.encodeUtf8(ignition.toString()).sha256().hex().substring(0, 32);
    }

    private static boolean isAddress(@Nullable String text) {
        return text == null || text.isEmpty() || HttpUrl.parse(text) != null;
    }
}
