package io.capoa.bootstrap.boot;

import io.capoa.api.contract.Fields;
import io.capoa.api.contract.InfraEnv;
import java.util.Optional;
import java.util.regex.Pattern;
import okhttp3.HttpUrl;
import org.jspecify.annotations.Nullable;

/**
 * Finds where the discovery ignition of an InfraEnv is: {@code status.bootArtifacts.discoveryIgnitionURL}, or, where the
 * image service is off and that is never set, derived from {@code status.debugInfo.eventsURL}.
 */
public final class DiscoveryIgnitionUrl {

    static final String[] DIRECT = {"status", "bootArtifacts", "discoveryIgnitionURL"};
    static final String[] EVENTS = {"status", "debugInfo", "eventsURL"};

    /** What assisted-service calls an InfraEnv, a UUID. */
    private static final Pattern ID = Pattern.compile("[0-9A-Za-z-]{1,64}");

    private DiscoveryIgnitionUrl() {}

    /** The URL, its query may hold a token; empty while the InfraEnv names none. */
    public static Optional<HttpUrl> of(InfraEnv infraEnv, AssistedService service) {
        return published(infraEnv)
                .map(url -> service.reachable(url, infraEnv.getMetadata().getNamespace()));
    }

    private static Optional<HttpUrl> published(InfraEnv infraEnv) {
        HttpUrl direct = url(Fields.string(infraEnv, DIRECT));
        return direct != null
                ? Optional.of(direct)
                : Optional.ofNullable(url(Fields.string(infraEnv, EVENTS))).flatMap(DiscoveryIgnitionUrl::fromEvents);
    }

    private static Optional<HttpUrl> fromEvents(HttpUrl events) {
        String id = events.queryParameter("infra_env_id");
        if (id == null || !ID.matcher(id).matches()) {
            return Optional.empty();
        }
        HttpUrl.Builder url = events.newBuilder()
                .query(null)
                .encodedPath("/api/assisted-install/v2/infra-envs")
                .addPathSegment(id)
                .addPathSegments("downloads/files");
        // Without authentication there is no key, and none is needed.
        String key = events.queryParameter("api_key");
        if (key != null && !key.isEmpty()) {
            url.addQueryParameter("api_key", key);
        }
        return Optional.of(url.addQueryParameter("file_name", "discovery.ign").build());
    }

    private static @Nullable HttpUrl url(@Nullable String text) {
        return text == null ? null : HttpUrl.parse(text);
    }
}
