package io.capoa.controlplane.release;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.capoa.api.controlplane.v1beta1.ControlPlaneConditions;
import io.capoa.api.rules.ImageReference;
import io.capoa.api.untrusted.LongInput;
import io.capoa.api.untrusted.UntrustedContent;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** The registry credentials of a cluster, as a {@code kubernetes.io/dockerconfigjson} secret holds them. */
public final class PullSecret {

    /** The key of the secret's data. */
    public static final String KEY = ".dockerconfigjson";

    private static final ObjectMapper JSON = UntrustedContent.json();

    private static final String NOT_BASE64 = "\"auth\" is not base64";

    private static final String NOT_A_LOGIN = "\"auth\" is not the base64 form of user:password";

    /** What may stand in a header. */
    private static final Pattern TOKEN = Pattern.compile("[!-~]+");

    private static final String DOCKER = "docker.io";

    /** One registry's entry, or what is wrong with it. */
    private sealed interface Auth {
        record Usable(RegistryCredentials credentials) implements Auth {}

        record Broken(String problem) implements Auth {}
    }

    private final Map<String, Auth> entries;
    private final Optional<String> problem;
    private final Optional<String> refusal;
    private final String fingerprint;

    private PullSecret(
            Map<String, Auth> entries, Optional<String> problem, Optional<String> refusal, String fingerprint) {
        this.entries = entries;
        this.problem = problem;
        this.refusal = refusal;
        this.fingerprint = fingerprint;
    }

    /** No credentials: every registry is asked anonymously. */
    public static PullSecret anonymous() {
        return new PullSecret(Map.of(), Optional.empty(), Optional.empty(), "");
    }

    /**
     * Reads the decoded value of {@value #KEY}. Never throws: a secret that cannot be read says so in
     * {@link #problem()}, an entry that cannot be read only where its registry is asked.
     */
    public static PullSecret parse(byte[] dockerConfigJson) {
        return LongInput.parse(dockerConfigJson.length, () -> parsed(dockerConfigJson));
    }

    private static PullSecret parsed(byte[] dockerConfigJson) {
        String fingerprint = Fingerprint.of(dockerConfigJson);
        JsonNode root;
        try {
            root = JSON.readTree(dockerConfigJson);
        } catch (JacksonException e) {
            return broken("the value of " + KEY + " is not JSON that can be read", fingerprint);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        JsonNode auths = root == null ? null : root.get("auths");
        if (auths == null || !auths.isObject()) {
            return broken("the value of " + KEY + " has no object \"auths\"", fingerprint);
        }
        Map<String, Auth> entries = new TreeMap<>();
        auths.properties().forEach(e -> {
            String registry = normalize(e.getKey());
            // A plain key such as docker.io is more to the point than the address of its legacy API.
            if (registry.equals(e.getKey())) {
                entries.put(registry, entry(e.getKey(), e.getValue()));
            } else {
                entries.putIfAbsent(registry, entry(e.getKey(), e.getValue()));
            }
        });
        return new PullSecret(entries, Optional.empty(), refused(auths), fingerprint);
    }

    /** What is wrong with the secret as a whole; names the key, never a value. */
    public Optional<String> problem() {
        return problem;
    }

    /**
     * Why assisted-service takes no secret of this form, although the registries that are asked may find what they need in
     * it; names keys, never a value.
     */
    public Optional<String> refusal() {
        return refusal;
    }

    /** Equal for equal secrets; does not reveal their content. */
    public String fingerprint() {
        return fingerprint;
    }

    /**
     * The credentials for a repository: of the longest key that is the registry or a path that leads to the repository.
     *
     * @throws RegistryException the entry for this repository cannot be read
     */
    RegistryCredentials credentials(ImageReference image) throws RegistryException {
        String registry = normalize(image.registry());
        String key = registry + "/" + image.path();
        while (true) {
            Auth entry = entries.get(key);
            if (entry != null) {
                return switch (entry) {
                    case Auth.Usable usable -> usable.credentials();
                    case Auth.Broken broken ->
                        throw new RegistryException(
                                ControlPlaneConditions.RELEASE_REGISTRY_UNAUTHORIZED, broken.problem());
                };
            }
            int slash = key.lastIndexOf('/');
            if (slash < 0) {
                return new RegistryCredentials.Anonymous();
            }
            key = key.substring(0, slash);
        }
    }

    private static PullSecret broken(String problem, String fingerprint) {
        return new PullSecret(Map.of(), Optional.of(problem), Optional.of(problem), fingerprint);
    }

    /** It reads every entry ({@code ParsePullSecret} of assisted-service, {@code internal/cluster/validations}). */
    private static Optional<String> refused(JsonNode auths) {
        if (auths.isEmpty()) {
            return Optional.of("the value of " + KEY + " has no entry in \"auths\"");
        }
        return auths.properties().stream()
                .flatMap(entry -> refused(entry.getKey(), entry.getValue().path("auth")).stream())
                .findFirst();
    }

    private static Optional<String> refused(String registry, JsonNode auth) {
        if (!auth.isTextual()) {
            return Optional.of(problem(registry, "\"auth\" is not given"));
        }
        try {
            // Line breaks are allowed, by its decoder too.
            String decoded = new String(
                    Base64.getDecoder().decode(auth.asText().replaceAll("[\r\n]", "")), StandardCharsets.ISO_8859_1);
            return decoded.contains(":") ? Optional.empty() : Optional.of(problem(registry, NOT_A_LOGIN));
        } catch (IllegalArgumentException e) {
            return Optional.of(problem(registry, NOT_BASE64));
        }
    }

    private static Auth entry(String registry, JsonNode value) {
        String identityToken = value.path("identitytoken").asText("");
        String registryToken = value.path("registrytoken").asText("");
        String auth = value.path("auth").asText("");
        String username = value.path("username").asText("");
        String password = value.path("password").asText("");
        if (!identityToken.isEmpty()) {
            return new Auth.Usable(new RegistryCredentials.IdentityToken(identityToken));
        }
        if (!registryToken.isEmpty()) {
            return TOKEN.matcher(registryToken).matches()
                    ? new Auth.Usable(new RegistryCredentials.RegistryToken(registryToken))
                    : new Auth.Broken(problem(registry, "\"registrytoken\" holds characters that no token has"));
        }
        if (!auth.isEmpty()) {
            String decoded;
            try {
                decoded = new String(Base64.getDecoder().decode(auth.replaceAll("\\s", "")), StandardCharsets.UTF_8);
            } catch (IllegalArgumentException e) {
                return new Auth.Broken(problem(registry, NOT_BASE64));
            }
            int colon = decoded.indexOf(':');
            if (colon < 1) {
                return new Auth.Broken(problem(registry, NOT_A_LOGIN));
            }
            username = decoded.substring(0, colon);
            // Some clients pad the decoded form with zero bytes.
            password = decoded.substring(colon + 1).replace("\0", "");
        }
        if (username.isEmpty()) {
            return value.isObject() && value.isEmpty()
                    ? new Auth.Usable(new RegistryCredentials.Anonymous())
                    : new Auth.Broken(problem(registry, "neither \"auth\" nor \"username\" is given"));
        }
        // By convention of container clients, this user name marks the password as an identity token.
        return new Auth.Usable(
                username.equals("<token>")
                        ? new RegistryCredentials.IdentityToken(password)
                        : new RegistryCredentials.Basic(username, password));
    }

    private static String problem(String registry, String what) {
        return "the entry \"%s\" of %s cannot be used: %s".formatted(UntrustedContent.quoted(registry), KEY, what);
    }

    private static String normalize(String key) {
        String bare = key.replaceFirst("^https?://", "");
        boolean address = !bare.equals(key);
        bare = address ? bare.replaceFirst("/v[12]/?$", "") : bare;
        bare = bare.replaceFirst("/+$", "");
        return switch (bare) {
            case "index.docker.io", "index.docker.io/v1", "registry-1.docker.io", "registry.hub.docker.com" -> DOCKER;
            default -> bare;
        };
    }

    @Override
    public String toString() {
        return "PullSecret" + entries.keySet();
    }
}
