package io.capoa.bootstrap.boot;

import io.capoa.api.contract.InfraEnv;
import io.capoa.api.contract.InfraEnvView;
import java.util.Optional;
import java.util.regex.Pattern;
import okhttp3.HttpUrl;
import org.jspecify.annotations.Nullable;

/**
 * Finds the URL of an InfraEnv's discovery ignition: {@code status.bootArtifacts.discoveryIgnitionURL} or, where the
 * image service is disabled and the field stays empty, a URL derived from {@code status.debugInfo.eventsURL}.
 */
public final class DiscoveryIgnitionUrl {

    /** What assisted-service calls an InfraEnv, a UUID. */
    private static final Pattern ID = Pattern.compile("[0-9A-Za-z-]{1,64}");

    private DiscoveryIgnitionUrl() {}

    /** The URL, its query may hold a token; empty while the InfraEnv names none. */
    public static Optional<HttpUrl> of(InfraEnv infraEnv, AssistedServiceAddress service) {
        return published(infraEnv)
                .map(url -> service.reachable(url, infraEnv.getMetadata().getNamespace()));
    }

    /** The URL as assisted-service publishes it, and hosts reach it; empty while the InfraEnv names none. */
    static Optional<HttpUrl> published(InfraEnv infraEnv) {
        InfraEnvView view = InfraEnvView.of(infraEnv);
        HttpUrl direct = url(view.url(InfraEnvView.Url.DISCOVERY_IGNITION));
        return direct != null
                ? Optional.of(direct)
                : Optional.ofNullable(url(view.url(InfraEnvView.Url.EVENTS))).flatMap(DiscoveryIgnitionUrl::fromEvents);
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
