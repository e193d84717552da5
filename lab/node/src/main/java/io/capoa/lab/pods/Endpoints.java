package io.capoa.lab.pods;

import io.capoa.lab.controller.Caches;
import io.capoa.lab.controller.Key;
import io.capoa.lab.controller.WorkQueue;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServicePort;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointBuilder;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointPort;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointPortBuilder;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSlice;
import io.fabric8.kubernetes.api.model.discovery.v1.EndpointSliceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Writes EndpointSlices for the ready pods of this node, through which the API server calls webhooks of their Services:
 * one slice per Service and pod, because each pod has its own ports.
 */
final class Endpoints implements AutoCloseable {

    private static final String MANAGED_BY = "endpointslice.kubernetes.io/managed-by";
    private static final String OF_SERVICE = "kubernetes.io/service-name";

    private final KubernetesClient client;
    private final String node;
    private final Caches.Cache<Service> services;
    private final Caches.Cache<EndpointSlice> slices;
    private final Caches.Cache<Pod> pods;
    private final Function<Pod, @Nullable PodRun> runs;
    private final WorkQueue queue;

    /**
     * @param pods cache of all Pods
     * @param runs returns the run of a pod on this node
     */
    Endpoints(
            KubernetesClient client,
            String node,
            Caches.Cache<Pod> pods,
            Caches caches,
            Function<Pod, @Nullable PodRun> runs) {
        this.client = client;
        this.node = node;
        this.pods = pods;
        this.runs = runs;
        this.services = caches.of(Service.class);
        this.slices = caches.labelled(EndpointSlice.class, MANAGED_BY);
        this.queue = new WorkQueue("endpoints", this::work)
                .watch(services)
                .watch(slices, slice -> List.of(new Key(slice.getMetadata().getNamespace(), serviceOf(slice))));
    }

    /** The readiness of a pod in the namespace has changed. */
    void changed(String namespace) {
        services.list(namespace).forEach(service -> queue.enqueue(Key.of(service)));
    }

    private @Nullable Duration work(Key key) {
        Service service = services.get(key);
        SortedMap<String, EndpointSlice> wanted = service == null ? new TreeMap<>() : wanted(service);
        List<EndpointSlice> there = slices.list(key.namespace())
                .filter(slice -> isOurs(slice) && serviceOf(slice).equals(key.name()))
                .toList();
        for (EndpointSlice slice : there) {
            EndpointSlice want = wanted.remove(slice.getMetadata().getName());
            if (want == null) {
                client.resource(slice).delete();
            } else if (!same(slice, want)) {
                client.resource(want).fieldManager(node).forceConflicts().serverSideApply();
            }
        }
        wanted.values()
                .forEach(slice -> client.resource(slice)
                        .fieldManager(node)
                        .forceConflicts()
                        .serverSideApply());
        return null;
    }

    private SortedMap<String, EndpointSlice> wanted(Service service) {
        SortedMap<String, EndpointSlice> wanted = new TreeMap<>();
        Map<String, String> selector = service.getSpec().getSelector();
        if (selector == null || selector.isEmpty()) {
            return wanted;
        }
        pods.list(service.getMetadata().getNamespace())
                .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
                .filter(pod -> Objects.requireNonNullElse(pod.getMetadata().getLabels(), Map.of())
                        .entrySet()
                        .containsAll(selector.entrySet()))
                .forEach(pod -> {
                    PodRun run = runs.apply(pod);
                    boolean always = Boolean.TRUE.equals(service.getSpec().getPublishNotReadyAddresses());
                    List<EndpointPort> ports =
                            run == null || !(always || run.isReady()) ? List.of() : ports(service, pod, run);
                    if (!ports.isEmpty()) {
                        EndpointSlice slice = slice(service, pod, ports);
                        wanted.put(slice.getMetadata().getName(), slice);
                    }
                });
        return wanted;
    }

    private static List<EndpointPort> ports(Service service, Pod pod, PodRun run) {
        List<EndpointPort> ports = new ArrayList<>();
        for (ServicePort port : service.getSpec().getPorts()) {
            IntOrString target = port.getTargetPort() == null ? new IntOrString(port.getPort()) : port.getTargetPort();
            OptionalInt number = PodParts.port(pod.getSpec().getContainers(), target);
            OptionalInt here = number.isPresent() ? run.port(number.getAsInt()) : OptionalInt.empty();
            here.ifPresent(loopback -> ports.add(new EndpointPortBuilder()
                    .withName(Objects.requireNonNullElse(port.getName(), ""))
                    .withPort(loopback)
                    .withProtocol("TCP")
                    .build()));
        }
        return ports;
    }

    /** Validation rejects loopback addresses of type IPv4, so the address has type FQDN. */
    private EndpointSlice slice(Service service, Pod pod, List<EndpointPort> ports) {
        return new EndpointSliceBuilder()
                .withNewMetadata()
                .withName("%s-%s"
                        .formatted(
                                service.getMetadata().getName(),
                                pod.getMetadata().getUid().substring(0, 8)))
                .withNamespace(service.getMetadata().getNamespace())
                .withLabels(Map.of(OF_SERVICE, service.getMetadata().getName(), MANAGED_BY, node))
                .withOwnerReferences(new OwnerReferenceBuilder()
                        .withApiVersion("v1")
                        .withKind("Service")
                        .withName(service.getMetadata().getName())
                        .withUid(service.getMetadata().getUid())
                        .withController(true)
                        .build())
                .endMetadata()
                .withAddressType("FQDN")
                .withEndpoints(new EndpointBuilder()
                        .withAddresses("127.0.0.1")
                        .withNewConditions()
                        .withReady(true)
                        .endConditions()
                        .withNodeName(node)
                        .withNewTargetRef()
                        .withKind("Pod")
                        .withNamespace(pod.getMetadata().getNamespace())
                        .withName(pod.getMetadata().getName())
                        .withUid(pod.getMetadata().getUid())
                        .endTargetRef()
                        .build())
                .withPorts(ports)
                .build();
    }

    private boolean isOurs(EndpointSlice slice) {
        return node.equals(slice.getMetadata().getLabels().get(MANAGED_BY));
    }

    private static boolean same(EndpointSlice one, EndpointSlice other) {
        return one.getPorts().equals(other.getPorts()) && one.getEndpoints().equals(other.getEndpoints());
    }

    private static String serviceOf(HasMetadata slice) {
        return Objects.requireNonNullElse(slice.getMetadata().getLabels().get(OF_SERVICE), "");
    }

    @Override
    public void close() {
        queue.close();
    }
}
