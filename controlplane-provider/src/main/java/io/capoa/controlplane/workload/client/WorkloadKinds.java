package io.capoa.controlplane.workload.client;

import io.capoa.runtime.client.ByName;
import io.capoa.runtime.untrusted.RefusedAnswerException;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Nameable;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Kinds that are read in workload clusters, as maps: of a Node or a pod a few fields count, and the classes that fabric8 has
 * for the rest would stay in memory.
 */
public final class WorkloadKinds {

    public static final ResourceDefinitionContext NODE = ofCluster("", "v1", "Node", "nodes");
    public static final ResourceDefinitionContext POD = ofNamespace("", "v1", "Pod", "pods");
    public static final ResourceDefinitionContext DEPLOYMENT = ofNamespace("apps", "v1", "Deployment", "deployments");
    public static final ResourceDefinitionContext DAEMON_SET = ofNamespace("apps", "v1", "DaemonSet", "daemonsets");
    public static final ResourceDefinitionContext CLUSTER_OPERATOR =
            ofCluster("config.openshift.io", "v1", "ClusterOperator", "clusteroperators");
    public static final ResourceDefinitionContext ETCD = ofCluster("operator.openshift.io", "v1", "Etcd", "etcds");
    public static final ResourceDefinitionContext MACHINE =
            ofNamespace("machine.openshift.io", "v1beta1", "Machine", "machines");
    public static final ResourceDefinitionContext MACHINE_CONFIG_POOL =
            ofCluster("machineconfiguration.openshift.io", "v1", "MachineConfigPool", "machineconfigpools");

    private WorkloadKinds() {}

    /** The objects of a list; none if the cluster does not serve their kind. */
    public static List<GenericKubernetesResource> served(Supplier<List<GenericKubernetesResource>> list) {
        try {
            return list.get();
        } catch (KubernetesClientException e) {
            if (e.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
                return List.of();
            }
            throw e;
        }
    }

    /**
     * The object of a name; {@code null} if there is none.
     *
     * @throws KubernetesClientException if the cluster does not answer, or with another object
     */
    public static <T extends HasMetadata> @Nullable T named(Nameable<? extends Resource<T>> objects, String name) {
        T found = ByName.<Resource<T>>select(objects, name).get();
        if (found != null && !name.equals(found.getMetadata().getName())) {
            throw KubernetesClientException.launderThrowable(
                    new RefusedAnswerException("it is another object than was asked for"));
        }
        return found;
    }

    private static ResourceDefinitionContext ofCluster(String group, String version, String kind, String plural) {
        return kind(group, version, kind, plural, false);
    }

    private static ResourceDefinitionContext ofNamespace(String group, String version, String kind, String plural) {
        return kind(group, version, kind, plural, true);
    }

    private static ResourceDefinitionContext kind(
            String group, String version, String kind, String plural, boolean namespaced) {
        return new ResourceDefinitionContext.Builder()
                .withGroup(group)
                .withVersion(version)
                .withKind(kind)
                .withPlural(plural)
                .withNamespaced(namespaced)
                .build();
    }
}
