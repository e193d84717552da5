package io.capoa.bootstrap.boot;

import io.capoa.api.untrusted.UntrustedContent;
import io.capoa.runtime.client.ByName;
import io.capoa.runtime.client.ObjectName;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.Certificate;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * CA certificates for ignition servers besides the system's: one Secret or ConfigMap, watched by name, so that a
 * change applies from the next request on.
 */
public final class CaBundle implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(CaBundle.class);
    private static final String PREFIX = "ASSISTED_CA_BUNDLE_";

    /** Where the certificates lie, in PEM. */
    public record Location(boolean configMap, String namespace, String name, String key) {

        /** The Go provider's. */
        static final Location USUAL = new Location(false, "assisted-installer", "assisted-installer-ca", "ca.crt");

        /**
         * Reads {@code ASSISTED_CA_BUNDLE_NAME}, {@code _NAMESPACE}, {@code _RESOURCE} ({@code secret} or
         * {@code configmap}) and {@code _KEY}; as in the Go provider each has the default of {@link #USUAL}. Empty when
         * neither name nor namespace is given and the others are no other place.
         *
         * @throws IllegalArgumentException that names the variable at fault
         */
        public static Optional<Location> fromEnvironment(Map<String, String> environment) {
            String name = orDefault(environment.get(PREFIX + "NAME"), USUAL.name);
            String namespace = orDefault(environment.get(PREFIX + "NAMESPACE"), USUAL.namespace);
            String resource = orDefault(environment.get(PREFIX + "RESOURCE"), "secret");
            if (!List.of("secret", "configmap").contains(resource)) {
                throw new IllegalArgumentException(PREFIX + "RESOURCE is neither secret nor configmap");
            }
            if (!ObjectName.isValid(name)) {
                throw new IllegalArgumentException(PREFIX + "NAME is not the name of an object");
            }
            if (!ObjectName.isNamespace(namespace)) {
                throw new IllegalArgumentException(PREFIX + "NAMESPACE is not the name of a namespace");
            }
            Location location = new Location(
                    resource.equals("configmap"),
                    namespace,
                    name,
                    orDefault(environment.get(PREFIX + "KEY"), USUAL.key));
            boolean isNamed = Stream.of("NAME", "NAMESPACE")
                    .anyMatch(
                            part -> !environment.getOrDefault(PREFIX + part, "").isEmpty());
            return isNamed || !location.equals(USUAL) ? Optional.of(location) : Optional.empty();
        }

        private static String orDefault(@Nullable String value, String fallBack) {
            return value == null || value.isEmpty() ? fallBack : value;
        }

        @Override
        public String toString() {
            return (configMap ? "ConfigMap " : "Secret ") + namespace + "/" + name;
        }
    }

    private final Location location;
    private final IgnitionDownloads downloads;
    private final SharedIndexInformer<? extends HasMetadata> informer;

    /** Begins to watch; until the certificates are there, the system's count alone and failures say what is missing. */
    public CaBundle(KubernetesClient client, Location location, IgnitionDownloads downloads) {
        this.location = location;
        this.downloads = downloads;
        distrust(" with the CA certificates of assisted-service does not exist");
        this.informer = location.configMap()
                ? watched(ByName.select(client.configMaps().inNamespace(location.namespace()), location.name())
                        .runnableInformer(0))
                : watched(ByName.select(client.secrets().inNamespace(location.namespace()), location.name())
                        .runnableInformer(0));
        var unused = informer.start();
    }

    private <R extends HasMetadata> SharedIndexInformer<R> watched(SharedIndexInformer<R> fresh) {
        fresh.exceptionHandler((started, failure) -> true);
        return fresh.addEventHandler(new ResourceEventHandler<>() {
            @Override
            public void onAdd(R resource) {
                read(resource);
            }

            @Override
            public void onUpdate(R before, R now) {
                read(now);
            }

            @Override
            public void onDelete(R resource, boolean stateUnknown) {
                distrust(" with the CA certificates of assisted-service is gone");
            }
        });
    }

    private void read(HasMetadata resource) {
        try {
            Collection<? extends Certificate> certificates = certificates(resource, location.key());
            downloads.trust(TrustedCertificates.with(certificates));
            downloads.authorities().known(certificates);
            LOG.info("{} CA certificates of {} are trusted", certificates.size(), location);
        } catch (GeneralSecurityException | IllegalArgumentException unreadable) {
            distrust(" has no certificates in PEM under its key " + location.key());
        }
    }

    private void distrust(String why) {
        downloads.distrust(location + why);
        downloads.authorities().unknown(location + why);
    }

    static Collection<? extends Certificate> certificates(HasMetadata resource, String key)
            throws GeneralSecurityException {
        byte[] pem = switch (resource) {
            case Secret secret -> Base64.getDecoder().decode(value(secret.getData(), key));
            case ConfigMap map -> value(map.getData(), key).getBytes(StandardCharsets.UTF_8);
            default -> throw new IllegalArgumentException(resource.getKind());
        };
        Collection<? extends Certificate> found = UntrustedContent.certificates(pem);
        if (found.isEmpty()) {
            throw new IllegalArgumentException("no certificate");
        }
        return found;
    }

    private static String value(@Nullable Map<String, String> data, String key) {
        String value = data == null ? null : data.get(key);
        if (value == null) {
            throw new IllegalArgumentException("no such key");
        }
        return value;
    }

    @Override
    public void close() {
        informer.stop();
    }
}
