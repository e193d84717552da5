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

/** Who may read from the registry: everybody, whoever shows a user and password, or whoever shows a token. */
public final class Access {

    /** How a registry wants to be convinced. */
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

    Access(String address) {
        this.address = address;
    }

    /** Everybody, without a word. */
    public Access open() {
        mode = Mode.OPEN;
        return this;
    }

    /** Whoever shows one of the users and its password. */
    public Access basic() {
        mode = Mode.BASIC;
        return this;
    }

    /** Whoever shows a token; it is given to anybody unless there are users or identity tokens. */
    public Access tokens() {
        mode = Mode.TOKEN;
        return this;
    }

    public Access user(String name, String password) {
        users.put(name, password);
        return this;
    }

    public Access identityToken(String token) {
        identityTokens.add(token);
        return this;
    }

    /** A token that the registry takes as it is. */
    public Access registryToken(String token) {
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

    /** The {@code WWW-Authenticate} header for those who are not let in. */
    String challenge(String repository) {
        return mode == Mode.TOKEN
                ? "Bearer realm=\"http://%s/token\",service=\"lab\",scope=\"repository:%s:pull\""
                        .formatted(address, repository)
                : "Basic realm=\"lab\"";
    }

    /** A token in JSON, or {@code null} for who has no right to one. */
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
