package io.capoa.runtime.proxy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Chooses proxies by {@code HTTPS_PROXY}, {@code HTTP_PROXY} and {@code NO_PROXY} (or in lower case), which the JVM
 * ignores, and falls back to the JVM's own settings. Never uses a proxy for the local host.
 */
public final class EnvironmentProxy extends ProxySelector {

    private final Map<String, String> environment;
    private final @Nullable ProxySelector otherwise;

    /**
     * Chooses by these variables.
     *
     * @param otherwise what chooses where they say nothing
     */
    public EnvironmentProxy(Map<String, String> environment, @Nullable ProxySelector otherwise) {
        this.environment = environment;
        this.otherwise = otherwise;
    }

    @Override
    public List<Proxy> select(URI uri) {
        String host = uri.getHost() == null ? "" : uri.getHost();
        Optional<URI> proxy = proxyFor(uri.getScheme());
        if (HostNames.isLoopback(host)) {
            return List.of(Proxy.NO_PROXY);
        }
        if (proxy.isEmpty()) {
            return otherwise == null ? List.of(Proxy.NO_PROXY) : otherwise.select(uri);
        }
        int port = uri.getPort() >= 0 ? uri.getPort() : "https".equals(uri.getScheme()) ? 443 : 80;
        if (HostNames.excluded(host, port, variable("NO_PROXY"))) {
            return List.of(Proxy.NO_PROXY);
        }
        URI address = proxy.get();
        int proxyPort = address.getPort() >= 0 ? address.getPort() : "https".equals(address.getScheme()) ? 443 : 80;
        return List.of(new Proxy(Proxy.Type.HTTP, InetSocketAddress.createUnresolved(address.getHost(), proxyPort)));
    }

    /** {@code user:password} of the proxy's address, decoded. */
    Optional<String> userInfo(String scheme) {
        return proxyFor(scheme).map(URI::getUserInfo);
    }

    @Override
    public void connectFailed(URI uri, SocketAddress address, IOException failure) {
        // The failed request reports it.
    }

    private Optional<URI> proxyFor(String scheme) {
        String value = variable(scheme.toUpperCase(Locale.ROOT) + "_PROXY");
        if (value.isEmpty()) {
            return Optional.empty();
        }
        try {
            URI uri = URI.create(value.contains("://") ? value : "http://" + value);
            return uri.getHost() == null ? Optional.empty() : Optional.of(uri);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private String variable(String name) {
        String upper = environment.getOrDefault(name, "");
        return (upper.isBlank() ? environment.getOrDefault(name.toLowerCase(Locale.ROOT), "") : upper).strip();
    }
}
