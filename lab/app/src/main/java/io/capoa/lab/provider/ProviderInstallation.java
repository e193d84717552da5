package io.capoa.lab.provider;

import io.capoa.lab.cluster.ClusterException;
import io.capoa.lab.cluster.CustomResourceDefinitions;
import io.capoa.lab.cluster.TestCluster;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientTimeoutException;
import io.fabric8.kubernetes.client.dsl.RollableScalableResource;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Installs both providers from the release on a management cluster, as users do. */
public final class ProviderInstallation {

    /** Three seconds on an idle machine; on two busy cores, where other labs start, one minute and more. */
    private static final long LONGEST_START_SECONDS = 180;

    private static final String FIELD_MANAGER = "clusterctl";

    /** The control-plane provider's optional ConfigMap with registry mirrors, and its volume. */
    private static final String REGISTRIES = "capoa-registries";

    private final TestCluster cluster;
    private final List<GenericKubernetesResource> components;

    private ProviderInstallation(TestCluster cluster, List<GenericKubernetesResource> components) {
        this.cluster = cluster;
        this.components = components;
    }

    /**
     * Reads the release of the checkout.
     *
     * @param variables variables of the components that override defaults
     * @throws ClusterException if the programs are not built, the release cannot be rendered, or no provider has such a
     *     variable
     */
    public static ProviderInstallation of(TestCluster cluster, Path root, Map<String, String> variables) {
        for (Provider provider : Provider.values()) {
            if (!provider.isBuilt(root)) {
                throw new ClusterException("%s is not built: there is no %s. Run `mvn package` first."
                        .formatted(provider.module(), provider.jar(root)));
            }
        }
        Dist dist = Dist.current(root);
        dist.requireVariables(variables.keySet());
        return new ProviderInstallation(
                cluster,
                Stream.of(Provider.values())
                        .flatMap(provider -> dist.components(provider, variables).stream())
                        .toList());
    }

    /** The providers' CRDs. */
    public List<GenericKubernetesResource> definitions() {
        return components.stream()
                .filter(object -> object.getKind().equals(CustomResourceDefinitions.KIND))
                .toList();
    }

    /**
     * Applies everything but the CRDs, which must have been applied before.
     *
     * @param registriesConf mirrors for the control-plane provider
     */
    public void apply(String registriesConf) {
        KubernetesClient admin = cluster.admin();
        configureMirrors(admin, registriesConf);
        List<GenericKubernetesResource> inOrder = new ArrayList<>(components);
        inOrder.removeAll(definitions());
        // Namespaces before their content; Deployments after the objects that their pods need.
        inOrder.sort(Comparator.comparingInt(ProviderInstallation::rank));
        inOrder.forEach(object -> admin.resource(object)
                .fieldManager(FIELD_MANAGER)
                .forceConflicts()
                .serverSideApply());
    }

    /**
     * Configures the registry mirrors of the control-plane provider; call it before the provider is installed.
     *
     * @param registriesConf in the format of containers-registries.conf(5)
     */
    public static void configureMirrors(KubernetesClient admin, String registriesConf) {
        admin.resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(Provider.CONTROL_PLANE.namespace())
                        .endMetadata()
                        .build())
                .fieldManager("lab")
                .serverSideApply();
        admin.resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withName(REGISTRIES)
                        .withNamespace(Provider.CONTROL_PLANE.namespace())
                        .endMetadata()
                        .withData(Map.of("registries.conf", registriesConf))
                        .build())
                .fieldManager("lab")
                .forceConflicts()
                .serverSideApply();
    }

    private static int rank(GenericKubernetesResource object) {
        return switch (object.getKind()) {
            case "Namespace" -> 0;
            case "Issuer" -> 1;
            case "Certificate" -> 2;
            case "Deployment" -> 4;
            default -> 3;
        };
    }

    /**
     * Waits until the Deployment of a provider is available.
     *
     * @throws ClusterException after a timeout, with the state of its pods
     */
    public static void awaitAvailable(KubernetesClient client, Provider provider) {
        try {
            var unused = deployment(client, provider)
                    .waitUntilCondition(ProviderInstallation::isAvailable, LONGEST_START_SECONDS, TimeUnit.SECONDS);
        } catch (KubernetesClientTimeoutException e) {
            throw new ClusterException(
                    "%s did not become available within %d s. Its pods say: %s"
                            .formatted(provider.deployment(), LONGEST_START_SECONDS, pods(client, provider)),
                    e);
        }
    }

    /** The Deployment of a provider. */
    public static RollableScalableResource<Deployment> deployment(KubernetesClient client, Provider provider) {
        return client.apps().deployments().inNamespace(provider.namespace()).withName(provider.deployment());
    }

    private static boolean isAvailable(@Nullable Deployment deployment) {
        if (deployment == null || deployment.getStatus() == null) {
            return false;
        }
        var status = deployment.getStatus();
        int wanted = deployment.getSpec().getReplicas();
        return Objects.equals(
                        status.getObservedGeneration(), deployment.getMetadata().getGeneration())
                && Objects.requireNonNullElse(status.getReplicas(), 0) == wanted
                && Objects.requireNonNullElse(status.getUpdatedReplicas(), 0) == wanted
                && Objects.requireNonNullElse(status.getAvailableReplicas(), 0) == wanted;
    }

    private static String pods(KubernetesClient client, Provider provider) {
        return client.pods().inNamespace(provider.namespace()).list().getItems().stream()
                .flatMap(pod -> pod.getStatus().getContainerStatuses().stream().map(status -> describe(pod, status)))
                .collect(Collectors.joining("; "));
    }

    private static String describe(Pod pod, ContainerStatus status) {
        var waiting = status.getState().getWaiting();
        var ended = status.getLastState().getTerminated();
        return "%s %s%s"
                .formatted(
                        pod.getMetadata().getName(),
                        waiting == null
                                ? "runs and is not ready"
                                : waiting.getReason() + " " + Objects.requireNonNullElse(waiting.getMessage(), ""),
                        ended == null
                                ? ""
                                : ", ended before with %d: %s".formatted(ended.getExitCode(), ended.getMessage()));
    }
}
