package io.capoa.controlplane.mirror;

import io.capoa.api.untrusted.UntrustedContent;
import io.fabric8.kubernetes.api.model.ConfigMap;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The mirror registries of a cluster, as the ConfigMap of {@code spec.config.imageRegistryRef} describes them.
 *
 * @param caBundle PEM certificates to trust for the registries; empty for none
 */
public record MirrorRegistry(RegistriesConf conf, String caBundle) {

    /** Key of the {@code registries.conf}. */
    public static final String CONF_KEY = "registries.conf";

    /** Key of the certificates. */
    public static final String CA_KEY = "ca-bundle.crt";

    /** Result of reading a ConfigMap. */
    public sealed interface Reading {

        /** The ConfigMap is valid. */
        record Usable(MirrorRegistry registry) implements Reading {}

        /**
         * The ConfigMap is invalid.
         *
         * @param message names the ConfigMap and what is wrong in it
         */
        record Unusable(String message) implements Reading {}
    }

    /** Reads the user's ConfigMap. */
    public static Reading read(ConfigMap map) {
        Map<String, String> data = map.getData() == null ? Map.of() : map.getData();
        String text = data.get(CONF_KEY);
        if (text == null) {
            return unusable(map, "has no key " + CONF_KEY + ": add it");
        }
        try {
            RegistriesConf conf = RegistriesConf.parse(text);
            String useless = useless(conf);
            if (!useless.isEmpty()) {
                return unusable(map, "cannot be used: " + useless);
            }
            String caBundle = data.getOrDefault(CA_KEY, "");
            String wrong = wrong(caBundle);
            return wrong.isEmpty()
                    ? new Reading.Usable(new MirrorRegistry(conf, caBundle))
                    : unusable(map, "cannot be used: " + wrong);
        } catch (IllegalArgumentException e) {
            return unusable(map, "cannot be used: " + e.getMessage());
        }
    }

    /** All that {@link #read} looks at. */
    public static List<String> content(ConfigMap map) {
        Map<String, String> data = map.getData() == null ? Map.of() : map.getData();
        return Stream.concat(
                        Stream.of(map.getMetadata().getName()),
                        Stream.of(CONF_KEY, CA_KEY)
                                .filter(data::containsKey)
                                .flatMap(key -> Stream.of(key, data.get(key))))
                .toList();
    }

    /** Settings of the file that do not apply to a cluster, or an empty text. */
    private static String useless(RegistriesConf conf) {
        if (conf.registries().isEmpty()) {
            return "registries.conf has no [[registry]]: add one with \"location\" and [[registry.mirror]]";
        }
        return conf.registries().stream()
                .filter(registry -> registry.mirrors().isEmpty()
                        && !registry.moved()
                        && !registry.blocked()
                        && !registry.insecure())
                .findFirst()
                .map(registry -> "registries.conf: the [[registry]] \"%s\" needs a [[registry.mirror]]"
                        .formatted(registry.prefix()))
                .orElse("");
    }

    private static String wrong(String caBundle) {
        if (caBundle.isBlank()) {
            return "";
        }
        try {
            var certificates = UntrustedContent.certificates(caBundle.getBytes(StandardCharsets.UTF_8));
            return certificates.isEmpty() ? CA_KEY + " holds no certificate in PEM" : "";
        } catch (CertificateException e) {
            return CA_KEY + " is not a list of certificates in PEM: " + e.getMessage();
        }
    }

    private static Reading unusable(ConfigMap map, String what) {
        return new Reading.Unusable("ConfigMap %s, which spec.config.imageRegistryRef names, %s"
                .formatted(map.getMetadata().getName(), what));
    }
}
