package io.capoa.api.rules;

import io.capoa.api.Proxy;
import io.capoa.api.untrusted.UntrustedContent;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Validates settings of both hosts under discovery and installed clusters: keys, certificates, proxies, NTP servers. */
public final class CommonSettings {

    private static final Duration SOON = Duration.ofDays(30);
    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9.:_-]*[A-Za-z0-9])?|::[0-9A-Fa-f:]*");

    private static final Pattern NOT_PROXIED = Pattern.compile(
            "\\.?[A-Za-z0-9_]([A-Za-z0-9_-]*[A-Za-z0-9])?(\\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)*\\.?"
                    + "|\\d+(\\.\\d+){3}(/\\d+)?|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*(/\\d+)?");

    private CommonSettings() {}

    /** Public keys, one per line: assisted-service rejects the whole object for an invalid one. */
    public static void sshKey(Section field, @Nullable String value) {
        if (value == null || value.isBlank()) {
            return;
        }
        if (value.contains("PRIVATE KEY")) {
            field.refuse("holds a private key: write the public one, the file that ends in .pub, and replace the key,"
                    + " for it has been sent");
            return;
        }
        List<String> lines = value.strip().lines().map(String::strip).toList();
        for (int i = 0; i < lines.size(); i++) {
            if (!SshPublicKey.isKey(lines.get(i))) {
                field.refuse((lines.size() == 1 ? "is no" : "has in line " + (i + 1) + " no")
                        + " public SSH key that assisted-service takes: write ssh-ed25519 AAAA... as it is in the file"
                        + " that ends in .pub (or a key of type ssh-rsa or ecdsa-sha2-nistp256, 384, 521), one key a line,"
                        + " without options, comment lines and empty lines");
                return;
            }
        }
    }

    /** CA certificates, one after the other. */
    public static void certificates(Section field, @Nullable String value) {
        if (value == null || value.isBlank()) {
            return;
        }
        try {
            var certificates = UntrustedContent.certificates(value.getBytes(StandardCharsets.UTF_8));
            certificates.forEach(certificate -> expiry(field, certificate));
            if (!certificates.isEmpty()) {
                return;
            }
        } catch (CertificateException e) {
            // Reported below: the parser's message would not help.
        }
        field.refuse("holds no certificates that can be read: write blocks of PEM from -----BEGIN CERTIFICATE----- to"
                + " -----END CERTIFICATE-----, one after the other");
    }

    /** The certificate of an authority that has expired, or will before an installation that waits for hosts has ended. */
    private static void expiry(Section field, X509Certificate certificate) {
        Instant end = certificate.getNotAfter().toInstant();
        Instant now = Instant.now();
        if (end.isBefore(now.plus(SOON))) {
            field.warn("has the certificate of %s, which %s %s: add the one that replaces it"
                    .formatted(
                            certificate.getSubjectX500Principal().getName(),
                            end.isBefore(now) ? "has expired on" : "expires on",
                            LocalDate.ofInstant(end, ZoneOffset.UTC)));
        }
    }

    public static void proxy(Section section, @Nullable Proxy proxy) {
        if (proxy == null) {
            return;
        }
        proxyUrl(section.in("httpProxy"), proxy.httpProxy());
        proxyUrl(section.in("httpsProxy"), proxy.httpsProxy());
        noProxy(section.in("noProxy"), proxy.noProxy());
    }

    /** As assisted-service parses it, which knows neither ports nor patterns. */
    private static void noProxy(Section field, @Nullable String value) {
        if (value == null || value.isBlank() || value.strip().equals("*")) {
            return;
        }
        if (value.strip().chars().anyMatch(Character::isWhitespace)) {
            field.refuse("has blanks in it: write .example.com,192.168.0.0/16, commas alone between");
            return;
        }
        for (String target : value.strip().split(",", -1)) {
            if (!NOT_PROXIED.matcher(target).matches() || (target.contains(":") && !isIpv6(target))) {
                field.refuse(
                        "has \"%s\", which is neither a domain nor an IP address nor a network: write .example.com,192.168.0.0/16, without schemes, ports and asterisks"
                                .formatted(target));
            }
        }
    }

    /** An address or a network; a name with a port can have the same characters. */
    private static boolean isIpv6(String target) {
        try {
            var unused = InetAddress.ofLiteral(target.replaceFirst("/.*", ""));
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static void proxyUrl(Section field, @Nullable String value) {
        if (value == null || value.isBlank()) {
            return;
        }
        try {
            URI url = new URI(value.strip());
            String scheme = url.getScheme() == null ? "" : url.getScheme().toLowerCase(Locale.ROOT);
            if ((scheme.equals("http") || scheme.equals("https")) && url.getHost() != null) {
                return;
            }
        } catch (URISyntaxException e) {
            // Reported below without the value: it may hold a password.
        }
        field.refuse("is no URL of a proxy: write http://proxy.example.com:3128, or with a login"
                + " http://user:password@proxy.example.com:3128");
    }

    /** Names or addresses of NTP servers. */
    public static void ntpServers(Section list, String field, @Nullable List<String> servers) {
        for (int i = 0; servers != null && i < servers.size(); i++) {
            if (!HOST.matcher(servers.get(i).strip()).matches()) {
                list.at(field, i)
                        .refuse("is neither a name nor an IP address: write ntp.example.com, without scheme,"
                                + " one server an entry");
            }
        }
    }
}
