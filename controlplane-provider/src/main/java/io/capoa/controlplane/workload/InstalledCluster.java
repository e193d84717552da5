package io.capoa.controlplane.workload;

import io.capoa.api.contract.ConditionView;
import io.capoa.api.contract.Fields;
import io.capoa.runtime.write.Deletion;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeAddress;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.net.HttpURLConnection;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The questions to an installed cluster. Each opens a connection of its own, for they are asked seldom: until the API
 * serves, and while a control plane Machine goes.
 */
public final class InstalledCluster {

    private static final ResourceDefinitionContext CLUSTER_OPERATOR = new ResourceDefinitionContext.Builder()
            .withGroup("config.openshift.io")
            .withVersion("v1")
            .withKind("ClusterOperator")
            .withPlural("clusteroperators")
            .withNamespaced(false)
            .build();

    private static final ResourceDefinitionContext CLUSTER_VERSION = new ResourceDefinitionContext.Builder()
            .withGroup("config.openshift.io")
            .withVersion("v1")
            .withKind("ClusterVersion")
            .withPlural("clusterversions")
            .withNamespaced(false)
            .build();

    private static final ResourceDefinitionContext ETCD = new ResourceDefinitionContext.Builder()
            .withGroup("operator.openshift.io")
            .withVersion("v1")
            .withKind("Etcd")
            .withPlural("etcds")
            .withNamespaced(false)
            .build();

    /** Where the etcd operator publishes its members' addresses. */
    private static final String ETCD_NAMESPACE = "openshift-etcd";

    private static final String ETCD_ENDPOINTS = "etcd-endpoints";

    private InstalledCluster() {}

    /** Asks {@code /readyz}. */
    public static Readiness readiness(String kubeconfig) {
        try (KubernetesClient client = Access.open(kubeconfig)) {
            return new Readiness("ok".equals(client.raw("/readyz")));
        } catch (KubernetesClientException | IllegalArgumentException e) {
            return new Readiness(false);
        }
    }

    /** The release that was completely rolled out last; {@code null} if the cluster does not answer, or not yet so. */
    public static @Nullable String version(String kubeconfig) {
        try (KubernetesClient client = Access.open(kubeconfig)) {
            GenericKubernetesResource version = client.genericKubernetesResources(CLUSTER_VERSION)
                    .withName("version")
                    .get();
            return version == null
                    ? null
                    : Fields.list(version, "status", "history").stream()
                            .filter(entry -> "Completed".equals(Fields.any(entry, "state")))
                            .map(entry -> Fields.any(entry, "version"))
                            .filter(String.class::isInstance)
                            .map(String.class::cast)
                            .findFirst()
                            .orElse(null);
        } catch (KubernetesClientException | IllegalArgumentException e) {
            return null;
        }
    }

    /** Asks the etcd operator. */
    public static EtcdHealth etcd(String kubeconfig) {
        try (KubernetesClient client = Access.open(kubeconfig)) {
            return etcd(client);
        } catch (KubernetesClientException | IllegalArgumentException e) {
            return EtcdHealth.unreachable(words(e));
        }
    }

    /**
     * Takes a node out of the cluster and looks how far that is. The etcd operator removes the member of a node that is
     * gone; the Node is therefore deleted first, as soon as etcd can lose a member.
     *
     * @param node its name
     * @param addresses of the Machine, by which its etcd member is told from others
     * @param remaining how many members have to be left
     */
    public static Departure depart(String kubeconfig, String node, Collection<String> addresses, int remaining) {
        try (KubernetesClient client = Access.open(kubeconfig)) {
            Set<String> its = new HashSet<>(addresses);
            Node present = client.nodes().withName(node).get();
            if (present != null) {
                addresses(present).forEach(its::add);
                EtcdHealth etcd = etcd(client);
                String obstacle = etcd.obstacle(isReady(present));
                if (obstacle == null) {
                    obstacle = etcd.tooFewWithout(remaining);
                }
                if (obstacle != null && isMember(client, its)) {
                    return new Departure.Wait(obstacle);
                }
                new Deletion(client).send(present, false);
            }
            if (isMember(client, its)) {
                return new Departure.Wait("its etcd member has to be removed by the cluster's etcd operator");
            }
            EtcdHealth after = etcd(client);
            return after.available()
                    ? new Departure.Gone()
                    : new Departure.Wait("etcd is not available: " + after.words());
        } catch (KubernetesClientException | IllegalArgumentException e) {
            return new Departure.Unreachable(words(e));
        }
    }

    private static EtcdHealth etcd(KubernetesClient client) {
        GenericKubernetesResource operator = client.genericKubernetesResources(CLUSTER_OPERATOR)
                .withName("etcd")
                .get();
        GenericKubernetesResource etcd =
                client.genericKubernetesResources(ETCD).withName("cluster").get();
        if (operator == null) {
            return new EtcdHealth(true, false, false, false, EtcdHealth.UNKNOWN, "ClusterOperator etcd does not exist");
        }
        boolean available = ConditionView.isTrue(operator, "Available") && !is(etcd, "EtcdMembersAvailable", "False");
        boolean degraded = ConditionView.isTrue(operator, "Degraded") || is(etcd, "EtcdMembersDegraded", "True");
        boolean progressing = ConditionView.isTrue(operator, "Progressing");
        String words = Stream.concat(
                        Stream.of("Available", "Degraded", "Progressing")
                                .flatMap(type -> ConditionView.of(operator, type).stream()),
                        etcd == null
                                ? Stream.empty()
                                : Stream.of("EtcdMembersAvailable", "EtcdMembersDegraded")
                                        .flatMap(type -> ConditionView.of(etcd, type).stream()))
                .map(ConditionView::message)
                .filter(message -> !message.isBlank())
                .distinct()
                .collect(Collectors.joining("; "));
        return new EtcdHealth(
                true, available, degraded, progressing, members(client), words.isEmpty() ? "no reason given" : words);
    }

    /** Whether the etcd operator lists a member at one of the addresses; without a list nobody is one. */
    private static boolean isMember(KubernetesClient client, Set<String> addresses) {
        Map<String, String> endpoints = endpoints(client);
        return endpoints != null && endpoints.values().stream().anyMatch(addresses::contains);
    }

    private static int members(KubernetesClient client) {
        Map<String, String> endpoints = endpoints(client);
        return endpoints == null ? EtcdHealth.UNKNOWN : endpoints.size();
    }

    private static @Nullable Map<String, String> endpoints(KubernetesClient client) {
        ConfigMap endpoints = client.configMaps()
                .inNamespace(ETCD_NAMESPACE)
                .withName(ETCD_ENDPOINTS)
                .get();
        return endpoints == null ? null : endpoints.getData();
    }

    private static Stream<String> addresses(Node node) {
        return node.getStatus() == null || node.getStatus().getAddresses() == null
                ? Stream.empty()
                : node.getStatus().getAddresses().stream()
                        .filter(address -> address.getType().equals("InternalIP"))
                        .map(NodeAddress::getAddress);
    }

    private static boolean isReady(Node node) {
        return node.getStatus() != null
                && node.getStatus().getConditions() != null
                && node.getStatus().getConditions().stream()
                        .anyMatch(condition -> condition.getType().equals("Ready")
                                && condition.getStatus().equals("True"));
    }

    private static boolean is(@Nullable GenericKubernetesResource object, String type, String status) {
        return object != null
                && ConditionView.of(object, type)
                        .filter(condition -> condition.status().equals(status))
                        .isPresent();
    }

    /** What a person can use; never the content of a kubeconfig. */
    private static String words(RuntimeException e) {
        if (e instanceof KubernetesClientException refused && refused.getCode() > 0) {
            return refused.getCode() == HttpURLConnection.HTTP_UNAUTHORIZED
                    ? "it refuses the kubeconfig (401)"
                    : "it answered " + refused.getCode();
        }
        if (e instanceof IllegalArgumentException) {
            return String.valueOf(e.getMessage());
        }
        return "no connection";
    }
}
