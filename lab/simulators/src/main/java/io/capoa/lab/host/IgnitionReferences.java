package io.capoa.lab.host;

import io.capoa.api.contract.Fields;
import io.capoa.lab.assisted.IgnitionMaps;
import io.capoa.lab.workload.Json;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import javax.net.ssl.SSLException;

/**
 * Resolves the references of an ignition config ({@code ignition.config.replace} and {@code merge}, Ignition specification
 * 3.1) like Ignition at first boot, except that it tries each address once: Ignition repeats failed requests until the
 * host is powered off.
 *
 * <p>Where a config names CA certificates these alone are trusted, so that a wrong one shows; otherwise those of the host.
 */
final class IgnitionReferences {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    /** Limits configs that refer to themselves. */
    private static final int DEEPEST = 8;

    private final HttpClient http;

    /** @param http trusts what the host's image trusts */
    IgnitionReferences(HttpClient http) {
        this.http = http;
    }

    /** The config without references; throws {@link Refused} that names what cannot be fetched, without its query. */
    Map<String, Object> resolve(Map<String, Object> config) throws Refused, InterruptedException {
        return resolve(config, List.of(), 0);
    }

    private Map<String, Object> resolve(Map<String, Object> config, List<String> inherited, int depth)
            throws Refused, InterruptedException {
        if (depth > DEEPEST) {
            throw new Refused("the references in its ignition are nested more than " + DEEPEST + " deep");
        }
        List<String> certificates = new ArrayList<>(inherited);
        for (Object authority : list(config, "ignition", "security", "tls", "certificateAuthorities")) {
            certificates.add(new String(fetch(authority, inherited), java.nio.charset.StandardCharsets.UTF_8));
        }
        Object replacement = Fields.any(config, "ignition", "config", "replace");
        if (replacement != null && Fields.any(replacement, "source") instanceof String) {
            return resolve(parse(fetch(replacement, certificates)), certificates, depth + 1);
        }
        Map<String, Object> resolved = config;
        for (Object reference : list(config, "ignition", "config", "merge")) {
            Map<String, Object> child = resolve(parse(fetch(reference, certificates)), certificates, depth + 1);
            resolved = IgnitionMaps.merge(resolved, child);
        }
        return resolved;
    }

    /** The content of a resource: uncompressed, and of the hash that it is to have. */
    private byte[] fetch(Object resource, List<String> certificates) throws Refused, InterruptedException {
        if (!(Fields.any(resource, "source") instanceof String source)) {
            throw new Refused("a reference in its ignition has no source");
        }
        String name = source.replaceFirst("^data:.*", "a data URL").replaceFirst("\\?.*", "");
        byte[] content =
                source.startsWith("data:") ? IgnitionConfig.content(source) : download(source, name, certificates);
        if ("gzip".equals(Fields.any(resource, "compression"))) {
            try (GZIPInputStream gzip = new GZIPInputStream(new ByteArrayInputStream(content))) {
                content = gzip.readAllBytes();
            } catch (IOException e) {
                throw new Refused(name + ", to which its ignition refers, is not compressed with gzip");
            }
        }
        if (Fields.any(resource, "verification", "hash") instanceof String hash) {
            verify(content, hash, name);
        }
        return content;
    }

    private byte[] download(String source, String name, List<String> certificates)
            throws Refused, InterruptedException {
        if (!source.matches("https?://.+")) {
            throw new Refused(name + ", to which its ignition refers, is neither an HTTP nor a data URL");
        }
        boolean own = !certificates.isEmpty();
        HttpClient client = own ? trusting(certificates) : http;
        try {
            HttpResponse<byte[]> response = Attempts.send(
                    client,
                    HttpRequest.newBuilder(URI.create(source)).timeout(TIMEOUT).build());
            if (response.statusCode() != 200) {
                throw new Refused(name + ", to which its ignition refers, replied with " + response.statusCode());
            }
            return response.body();
        } catch (SSLException e) {
            throw new Refused("the certificate of " + name + ", to which its ignition refers, is not trusted");
        } catch (IOException e) {
            throw new Refused(name + ", to which its ignition refers, cannot be reached");
        } catch (IllegalArgumentException e) {
            throw new Refused(name + ", to which its ignition refers, is not a URL");
        } finally {
            if (own) {
                client.shutdownNow();
            }
        }
    }

    private static HttpClient trusting(List<String> certificates) throws Refused {
        try {
            return HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .sslContext(TrustedAuthorities.of(certificates))
                    .build();
        } catch (GeneralSecurityException | IOException e) {
            throw new Refused(
                    "ignition.security.tls.certificateAuthorities of its ignition has no certificates in PEM");
        }
    }

    private static void verify(byte[] content, String hash, String name) throws Refused {
        int dash = hash.indexOf('-');
        String algorithm = switch (hash.substring(0, Math.max(0, dash))) {
            case "sha512" -> "SHA-512";
            case "sha256" -> "SHA-256";
            default -> throw new Refused("a hash in its ignition is neither sha512 nor sha256");
        };
        try {
            byte[] actual = MessageDigest.getInstance(algorithm).digest(content);
            if (!HexFormat.of().formatHex(actual).equals(hash.substring(dash + 1))) {
                throw new Refused(name + ", to which its ignition refers, has another hash than the ignition says");
            }
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Map<String, Object> parse(byte[] config) throws Refused {
        try {
            Map<String, Object> parsed = Json.parse(config);
            if (Fields.any(parsed, "ignition", "version") instanceof String version && version.startsWith("3.")) {
                return parsed;
            }
            throw new Refused("a config that its ignition refers to is not of version 3.x");
        } catch (IOException e) {
            throw new Refused("a config that its ignition refers to is not a JSON object");
        }
    }

    private static List<?> list(Map<String, Object> config, String... path) {
        return Fields.any(config, path) instanceof List<?> list ? list : List.of();
    }
}
