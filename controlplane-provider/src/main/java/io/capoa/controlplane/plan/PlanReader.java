package io.capoa.controlplane.plan;

import com.fasterxml.jackson.databind.JsonNode;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigTemplate;
import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.ContractReference;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.HardwareData;
import io.capoa.api.contract.MachineDeployment;
import io.capoa.api.contract.MachineGroupView;
import io.capoa.api.controlplane.v1beta1.MachineTemplate.InfrastructureReference;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneSpec;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.controlplane.install.InstallPullSecret;
import io.capoa.controlplane.machines.Arbiters;
import io.capoa.runtime.client.ByName;
import io.capoa.runtime.client.InvalidNameException;
import io.capoa.runtime.contract.Contracts;
import io.capoa.runtime.failure.ReconcileFailure;
import io.capoa.runtime.watch.CachePruning;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads what the plan of one control plane needs and no cache has: templates and Secrets by name, and where Metal3 gives the
 * hosts, those of the namespace with what their inspection found: HardwareData only where a host's own status lacks it.
 */
public final class PlanReader {

    private static final String METAL3_TEMPLATE = "Metal3MachineTemplate";
    private static final String CONFIG_TEMPLATE = "OpenshiftAssistedConfigTemplate";
    private static final String HOST = "BareMetalHost";
    private static final String HARDWARE = "HardwareData";

    private static final Set<String> READ_OF_HARDWARE = Set.of("hostname", "cpu", "ramMebibytes", "nics", "storage");

    private static final long PAGE = 50;

    /** Characters of hosts, and of their hardware, that are in memory for one plan; those of some three hundred hosts. */
    private static final int ROOM = 2 << 20;

    /**
     * What was read.
     *
     * @param unread why some kinds were not read, or not wholly, each with its remedy
     * @param templates of the control plane's infrastructure machines, as far as they were read
     */
    public record Read(
            PlanInput input, List<String> unread, Map<InfrastructureReference, GenericKubernetesResource> templates) {}

    private final KubernetesClient client;
    private final Contracts contracts;

    public PlanReader(KubernetesClient client, Contracts contracts) {
        this.client = client;
        this.contracts = contracts;
    }

    /**
     * Reads.
     *
     * @param deployments of the Cluster
     * @return empty if a template of the control plane does not exist, which the creation of its Machines reports
     */
    public Optional<Read> read(
            ControlPlaneIdentity identity, Cluster cluster, Collection<MachineDeployment> deployments) {
        Reading reading = new Reading(identity.namespace());
        reading.cluster(cluster, identity.controlPlane());
        OpenshiftAssistedControlPlaneSpec spec = identity.controlPlane().getSpec();
        Map<InfrastructureReference, GenericKubernetesResource> templates = new HashMap<>();
        for (InfrastructureReference reference :
                Set.copyOf(List.of(Arbiters.infrastructure(spec, false), Arbiters.infrastructure(spec, true)))) {
            Lookup found = reading.template(reference.apiGroup(), reference.kind(), reference.name());
            if (found.isMissing()) {
                return Optional.empty();
            }
            if (found.object() != null) {
                templates.put(reference, found.object());
            }
        }
        for (MachineDeployment deployment : deployments) {
            reading.pool(deployment);
        }
        reading.secrets(identity);
        reading.hosts();
        reading.input.unread("NMStateConfig");
        return Optional.of(new Read(reading.input, List.copyOf(reading.unread), Map.copyOf(templates)));
    }

    /**
     * An object by its name.
     *
     * @param isMissing whether there is none; if not, and there is no object, it was not read
     */
    private record Lookup(boolean isMissing, @Nullable GenericKubernetesResource object) {

        static final Lookup MISSING = new Lookup(true, null);
        static final Lookup UNREAD = new Lookup(false, null);
    }

    /** One read, while it is made. */
    private final class Reading {

        private final String namespace;
        private final PlanInput input = new PlanInput(PlanInput.Origin.RECONCILE);
        private final List<String> unread = new ArrayList<>();

        Reading(String namespace) {
            this.namespace = namespace;
        }

        /** The Cluster that owns the control plane, as one that refers to it, whatever else it may refer to now. */
        void cluster(Cluster cluster, OpenshiftAssistedControlPlane controlPlane) {
            Map<String, Object> content = content("Cluster", cluster);
            Map<String, Object> spec = new HashMap<>(Fields.map(cluster, "spec"));
            spec.put(
                    "controlPlaneRef",
                    Map.of(
                            "apiGroup",
                            OpenshiftAssistedControlPlane.GROUP,
                            "kind",
                            "OpenshiftAssistedControlPlane",
                            "name",
                            controlPlane.getMetadata().getName()));
            content.put("spec", spec);
            input.add(content, namespace);
            add("OpenshiftAssistedControlPlane", controlPlane);
        }

        int add(String kind, HasMetadata object) {
            return input.add(content(kind, object), namespace);
        }

        private Map<String, Object> content(String kind, HasMetadata object) {
            @SuppressWarnings("unchecked")
            Map<String, Object> content = client.getKubernetesSerialization().convertValue(object, Map.class);
            content.put("kind", kind);
            content.put("apiVersion", object.getApiVersion());
            return content;
        }

        /** Only templates of Metal3 are read. */
        Lookup template(@Nullable String group, @Nullable String kind, @Nullable String name) {
            if (!METAL3_TEMPLATE.equals(kind) || group == null || name == null) {
                return Lookup.UNREAD;
            }
            return contracts
                    .definition(group, METAL3_TEMPLATE)
                    .map(definition -> byName(METAL3_TEMPLATE, definition, name))
                    .orElse(Lookup.MISSING);
        }

        void pool(MachineDeployment deployment) {
            MachineGroupView view = MachineGroupView.of(deployment);
            ContractReference config = view.bootstrap().configRef();
            if (!CONFIG_TEMPLATE.equals(config.kind()) || config.name() == null || view.isDeleting()) {
                return;
            }
            add("MachineDeployment", deployment);
            Lookup unused = byName(
                    CONFIG_TEMPLATE,
                    ResourceDefinitionContext.fromResourceType(OpenshiftAssistedConfigTemplate.class),
                    config.name());
            ContractReference infrastructure =
                    new ContractReference(Fields.map(deployment, "spec", "template", "spec", "infrastructureRef"));
            unused = template(infrastructure.group(), infrastructure.kind(), infrastructure.name());
        }

        private Lookup byName(String kind, ResourceDefinitionContext definition, String name) {
            if (input.find(new PlanFinding.Subject(kind, namespace, name)).isPresent()) {
                return Lookup.UNREAD;
            }
            try {
                GenericKubernetesResource found = ByName.select(
                                client.genericKubernetesResources(definition).inNamespace(namespace), name)
                        .get();
                if (found == null) {
                    return Lookup.MISSING;
                }
                add(kind, found);
                return new Lookup(false, found);
            } catch (InvalidNameException e) {
                return Lookup.MISSING;
            } catch (KubernetesClientException e) {
                unread(kind, e);
                return Lookup.UNREAD;
            }
        }

        /** Those that the discovery of hosts needs beside the pull secret of the installation. */
        void secrets(ControlPlaneIdentity identity) {
            Set<String> names = new HashSet<>();
            Stream.of("OpenshiftAssistedControlPlane", CONFIG_TEMPLATE)
                    .flatMap(input::ofKind)
                    .flatMap(subject -> input.find(subject).stream())
                    .map(object -> object.at("/spec"))
                    .flatMap(Reading::specs)
                    .map(spec -> spec.at("/pullSecretRef/name").asText(""))
                    .filter(name -> !name.isEmpty())
                    .forEach(names::add);
            names.remove(InstallPullSecret.chosen(identity));
            names.forEach(this::secret);
        }

        private static Stream<JsonNode> specs(JsonNode spec) {
            return Stream.of(spec.path("openshiftAssistedConfigSpec"), spec.at("/template/spec"));
        }

        private void secret(String name) {
            try {
                Secret found = ByName.select(client.secrets().inNamespace(namespace), name)
                        .get();
                if (found != null) {
                    add("Secret", found);
                }
            } catch (InvalidNameException e) {
                // Reported where the reference is: there is no such object.
            } catch (KubernetesClientException e) {
                unread("Secret", e);
            }
        }

        void hosts() {
            if (input.ofKind(METAL3_TEMPLATE).findAny().isEmpty()) {
                return;
            }
            list(HOST, BareMetalHost.class, PlanReader::pruned);
            boolean unknown = input.all(BareMetalHost.class, HOST, namespace).stream()
                    .map(host -> InspectedHost.of(host, input))
                    .anyMatch(host -> host.isIdle() && host.hardware() == null);
            if (unknown) {
                list(HARDWARE, HardwareData.class, PlanReader::pruned);
            }
        }

        private <T extends GenericKubernetesResource> void list(String kind, Class<T> type, UnaryOperator<T> pruning) {
            int room = ROOM;
            String next = null;
            try {
                do {
                    var page = client.resources(type)
                            .inNamespace(namespace)
                            .list(new ListOptionsBuilder()
                                    .withLimit(PAGE)
                                    .withContinue(next)
                                    .build());
                    for (T object : page.getItems()) {
                        room -= add(kind, pruning.apply(object));
                    }
                    next = page.getMetadata().getContinue();
                } while (room > 0 && next != null && !next.isEmpty());
                if (room <= 0) {
                    input.unread(kind);
                    unread.add(
                            "objects of kind %s in namespace %s are longer than %d MiB together: keep fewer hosts in it"
                                    .formatted(kind, namespace, ROOM >> 20));
                }
            } catch (KubernetesClientException e) {
                // A kind that is not installed has no objects.
                if (e.getCode() != HttpURLConnection.HTTP_NOT_FOUND) {
                    unread(kind, e);
                }
            }
        }

        private void unread(String kind, KubernetesClientException refusal) {
            input.unread(kind);
            unread.add(ReconcileFailure.of(refusal).message());
        }
    }

    private static BareMetalHost pruned(BareMetalHost host) {
        host.getMetadata().setManagedFields(null);
        CachePruning.fields(host, Set.of("spec", "status"));
        CachePruning.status(host, Set.of("provisioning", "errorMessage", "hardware"));
        CachePruning.retain(host.getAdditionalProperties().get("status"), "hardware", READ_OF_HARDWARE);
        return host;
    }

    private static HardwareData pruned(HardwareData data) {
        data.getMetadata().setManagedFields(null);
        CachePruning.fields(data, Set.of("spec"));
        CachePruning.retain(data.getAdditionalProperties().get("spec"), "hardware", READ_OF_HARDWARE);
        return data;
    }
}
