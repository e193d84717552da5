package io.capoa.runtime.proxy;

import java.nio.charset.StandardCharsets;
import okhttp3.Authenticator;
import okhttp3.Credentials;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.Route;
import org.jspecify.annotations.Nullable;

/** Authenticates with a proxy by the user and password in its URL. */
public final class ProxyLogin implements Authenticator {

    private static final String HEADER = "Proxy-Authorization";

    private final EnvironmentProxy proxies;

    /** Logs in to the proxies that these variables name. */
    public ProxyLogin(EnvironmentProxy proxies) {
        this.proxies = proxies;
    }

    @Override
    public @Nullable Request authenticate(@Nullable Route route, Response response) {
        Request request = response.request();
        String userInfo = proxies.userInfo(request.url().scheme()).orElse("");
        int colon = userInfo.indexOf(':');
        if (colon < 0 || request.header(HEADER) != null) {
            return null;
        }
        String login =
                Credentials.basic(userInfo.substring(0, colon), userInfo.substring(colon + 1), StandardCharsets.UTF_8);
        return request.newBuilder().header(HEADER, login).build();
    }
}
