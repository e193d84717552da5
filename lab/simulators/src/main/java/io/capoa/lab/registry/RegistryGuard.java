package io.capoa.lab.registry;

import com.sun.net.httpserver.Headers;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Authentication of the registry: none, basic, or token. */
public final class RegistryGuard {

    /** Type of authentication. */
    private enum Mode {
        OPEN,
        BASIC,
        TOKEN
    }

    private static final Pattern FIELD = Pattern.compile("(?:^|&)refresh_token=([^&]*)");

    private final String address;
    private final Map<String, String> users = new ConcurrentHashMap<>();
    private final Set<String> identityTokens = ConcurrentHashMap.newKeySet();
    private final Set<String> issued = ConcurrentHashMap.newKeySet();
    private volatile Mode mode = Mode.OPEN;

    RegistryGuard(String address) {
        this.address = address;
    }

    /** No authentication. */
    public RegistryGuard open() {
        mode = Mode.OPEN;
        return this;
    }

    /** Basic authentication. */
    public RegistryGuard basic() {
        mode = Mode.BASIC;
        return this;
    }

    /** Token authentication; the token service is anonymous unless there are users or identity tokens. */
    public RegistryGuard tokens() {
        mode = Mode.TOKEN;
        return this;
    }

    public RegistryGuard user(String name, String password) {
        users.put(name, password);
        return this;
    }

    public RegistryGuard identityToken(String token) {
        identityTokens.add(token);
        return this;
    }

    /** Accepts a registry token without the token service. */
    public RegistryGuard registryToken(String token) {
        issued.add(token);
        return this;
    }

    boolean allows(Headers headers) {
        String shown = headers.getFirst("Authorization");
        return switch (mode) {
            case OPEN -> true;
            case BASIC -> knows(shown);
            case TOKEN -> shown != null && shown.startsWith("Bearer ") && issued.contains(shown.substring(7));
        };
    }

    /** The {@code WWW-Authenticate} header of a 401 response. */
    String challenge(String repository) {
        return mode == Mode.TOKEN
                ? "Bearer realm=\"http://%s/token\",service=\"lab\",scope=\"repository:%s:pull\""
                        .formatted(address, repository)
                : "Basic realm=\"lab\"";
    }

    /** A token response in JSON, or {@code null} if not authorized. */
    @Nullable
    String token(Headers headers, String form) {
        Matcher refresh = FIELD.matcher(form);
        boolean welcome = (users.isEmpty() && identityTokens.isEmpty())
                || knows(headers.getFirst("Authorization"))
                || (refresh.find() && identityTokens.contains(refresh.group(1)));
        if (!welcome) {
            return null;
        }
        String token = UUID.randomUUID().toString();
        issued.add(token);
        return "{\"token\":\"%s\",\"expires_in\":300}".formatted(token);
    }

    private boolean knows(@Nullable String authorization) {
        if (authorization == null || !authorization.startsWith("Basic ")) {
            return false;
        }
        String login = new String(Base64.getDecoder().decode(authorization.substring(6)), StandardCharsets.UTF_8);
        int colon = login.indexOf(':');
        return colon > 0 && login.substring(colon + 1).equals(users.get(login.substring(0, colon)));
    }
}
