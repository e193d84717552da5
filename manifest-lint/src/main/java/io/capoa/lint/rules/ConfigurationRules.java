package io.capoa.lint.rules;

import io.capoa.api.contract.Fields;
import io.capoa.api.untrusted.UntrustedContent;
import io.capoa.lint.manifest.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The cloud's configuration and credentials. */
final class ConfigurationRules {

    static final List<WorkloadRule> ALL = List.of(
            ConfigurationRules::configMaps,
            ConfigurationRules::cloudConfig,
            ConfigurationRules::secrets,
            ConfigurationRules::pullSecrets,
            ConfigurationRules::literalCredentials);

    private static final String CLOUD_CONFIG_MAP = "cloud-conf";

    /** In every namespace. */
    private static final Set<String> KNOWN_MAPS = Set.of("kube-root-ca.crt", "openshift-service-ca.crt");

    /** Kept by OpenShift in the namespace of cloud controller managers. */
    private static final String TRUSTED_CA_MAP = "ccm-trusted-ca";

    private static final Pattern CREDENTIAL =
            Pattern.compile(".*(SECRET|PASSWORD|PASSWD|ACCESS_KEY|API_KEY|TOKEN|CREDENTIAL).*");
    private static final Pattern FILE = Pattern.compile("(?:/[A-Za-z0-9._-]+){2,}");
    private static final Pattern REFERENCE = Pattern.compile("\\$\\([A-Za-z0-9._-]+\\)");
    private static final Pattern LOCATION = Pattern.compile(".*(_FILE|_PATH|_DIR|_NAME|_NAMESPACE|_URL|_ENDPOINT)");

    /** A reference of a pod to an object by name. */
    private record Reference(String path, String name) {}

    private ConfigurationRules() {}

    /** Of an absent namespace that alone is reported. */
    private static Stream<Finding> configMaps(Workload workload, LintContext context) {
        if (!IdentityRules.hasNamespace(workload, context)) {
            return Stream.empty();
        }
        String namespace = workload.namespace();
        return references(workload, "configMap", "configMapRef", "configMapKeyRef", "name").stream()
                .filter(reference -> !KNOWN_MAPS.contains(reference.name()))
                .filter(reference ->
                        !(reference.name().equals(TRUSTED_CA_MAP) && namespace.equals(IdentityRules.NAMESPACE)))
                .filter(reference -> !context.manifests().has("ConfigMap", namespace, reference.name()))
                .flatMap(reference -> workload.blocking(
                        reference.path(),
                        "no manifest creates ConfigMap " + reference.name() + " in the same namespace",
                        "and on platform External OpenShift does not create it either, so that no container starts",
                        "add the ConfigMap, or mark the reference as optional"));
    }

    /** The file of {@code --cloud-config} comes from the ConfigMap by which OpenShift's tools know it. */
    private static Stream<Finding> cloudConfig(Workload workload, LintContext context) {
        return workload.mainContainer()
                .flatMap(container -> container.flag("cloud-config").stream()
                        .flatMap(file -> cloudConfig(workload, container, file)));
    }

    private static Stream<Finding> cloudConfig(Workload workload, Container container, String value) {
        Variables variables = new Variables(container);
        Optional<String> undefined = variables.undefined(value);
        if (undefined.isPresent()) {
            return workload.blocking(
                    workload.path(container.path()),
                    "variable " + UntrustedContent.quoted(undefined.get()) + " of --cloud-config has no value",
                    "and the container exits because there is no such file",
                    "add the variable to env, or write the path");
        }
        String file = variables.expand(value);
        if (!file.startsWith("/") || file.contains("$")) {
            return Stream.empty();
        }
        Object volume = volumeOf(workload, container, file);
        if (volume == null) {
            return workload.warning(
                    workload.path(container, "volumeMounts"),
                    "nothing is mounted for --cloud-config " + UntrustedContent.quoted(file),
                    "and the image rarely has the configuration of your cloud",
                    "mount ConfigMap " + CLOUD_CONFIG_MAP + " there");
        }
        return CLOUD_CONFIG_MAP.equals(Fields.any(volume, "configMap", "name"))
                        || Fields.any(volume, "secret") != null
                        || Fields.any(volume, "projected") != null
                        || isFilledByInitContainer(workload, volume)
                ? Stream.empty()
                : workload.warning(
                        workload.path(container, "volumeMounts"),
                        "--cloud-config is not from ConfigMap " + CLOUD_CONFIG_MAP,
                        "where administrators of OpenShift look for it",
                        "write the configuration to key cloud.conf of ConfigMap " + CLOUD_CONFIG_MAP
                                + ", without credentials");
    }

    private static Stream<Finding> secrets(Workload workload, LintContext context) {
        return references(workload, "secret", "secretRef", "secretKeyRef", "secretName").stream()
                .filter(reference -> !context.providesSecret(workload.namespace(), reference.name()))
                .flatMap(reference -> workload.warning(
                        reference.path(),
                        "no manifest provides Secret " + reference.name() + " in the same namespace",
                        "and no container starts without it",
                        "add a CredentialsRequest whose spec.secretRef names it and, as the cloud credential operator"
                                + " has no credentials of your cloud, the Secret"));
    }

    private static Stream<Finding> pullSecrets(Workload workload, LintContext context) {
        List<Reference> references = new ArrayList<>();
        workload.podList("imagePullSecrets")
                .forEach(secret -> add(references, workload.path("imagePullSecrets"), secret, "name"));
        return references.stream()
                .filter(reference -> !context.providesSecret(workload.namespace(), reference.name()))
                .flatMap(reference -> workload.warning(
                        reference.path(),
                        "no manifest provides Secret " + reference.name() + " in the same namespace",
                        "and images are pulled without it, with the pull secret of the cluster alone",
                        "add the Secret, or the registry's credentials to the pull secret of the cluster"));
    }

    /** A path of a file is no credential, and neither is a reference to another variable. */
    private static Stream<Finding> literalCredentials(Workload workload, LintContext context) {
        return workload.allContainers().stream()
                .flatMap(container -> container.list("env").stream()
                        .filter(variable -> isLiteral(Fields.text(variable, "value")))
                        .map(variable -> Fields.text(variable, "name"))
                        .filter(name -> CREDENTIAL.matcher(name).matches()
                                && !LOCATION.matcher(name).matches())
                        .flatMap(name -> workload.warning(
                                workload.path(container, "env"),
                                "the value of " + UntrustedContent.quoted(name) + " is written in the manifest",
                                "where readers of the workload see the credential",
                                "take it from a Secret that a CredentialsRequest names")));
    }

    private static boolean isLiteral(String value) {
        return !value.isEmpty()
                && !FILE.matcher(value).matches()
                && !REFERENCE.matcher(value).matches();
    }

    /** Names that are required by volumes and environment; optional ones are left out. */
    private static List<Reference> references(
            Workload workload, String volume, String source, String key, String volumeField) {
        List<Reference> references = new ArrayList<>();
        List<?> volumes = workload.podList("volumes");
        for (int i = 0; i < volumes.size(); i++) {
            String path = workload.path("volumes[" + i + "]");
            add(references, path, Fields.any(volumes.get(i), volume), volumeField);
            Fields.list(volumes.get(i), "projected", "sources")
                    .forEach(projected -> add(references, path, Fields.any(projected, volume), "name"));
        }
        for (Container container : workload.allContainers()) {
            container
                    .list("envFrom")
                    .forEach(from ->
                            add(references, workload.path(container, "envFrom"), Fields.any(from, source), "name"));
            container
                    .list("env")
                    .forEach(variable -> add(
                            references,
                            workload.path(container, "env"),
                            Fields.any(variable, "valueFrom", key),
                            "name"));
        }
        return references.stream().distinct().toList();
    }

    private static void add(List<Reference> references, String path, @Nullable Object reference, String field) {
        if (Fields.any(reference, field) instanceof String name
                && !name.isEmpty()
                && !Fields.isTrue(reference, "optional")) {
            references.add(new Reference(path, UntrustedContent.quoted(name)));
        }
    }

    /** For example with the configuration of the ConfigMap and credentials of a Secret. */
    private static boolean isFilledByInitContainer(Workload workload, Object volume) {
        return workload.initContainers().stream()
                .flatMap(container -> container.list("volumeMounts").stream())
                .filter(mount -> !Fields.isTrue(mount, "readOnly"))
                .anyMatch(mount -> Fields.text(volume, "name").equals(Fields.text(mount, "name")));
    }

    private static @Nullable Object volumeOf(Workload workload, Container container, String file) {
        String mounted = container.list("volumeMounts").stream()
                .filter(mount -> {
                    String path = Fields.text(mount, "mountPath");
                    return !path.isEmpty()
                            && (file.equals(path) || file.startsWith(path.endsWith("/") ? path : path + "/"));
                })
                .map(mount -> Fields.text(mount, "name"))
                .findFirst()
                .orElse("");
        return workload.podList("volumes").stream()
                .filter(volume -> !mounted.isEmpty() && mounted.equals(Fields.text(volume, "name")))
                .findFirst()
                .orElse(null);
    }
}
