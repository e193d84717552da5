package io.capoa.controlplane.steps.machines;

import io.capoa.api.contract.Cluster;
import io.capoa.api.controlplane.v1beta1.ControlPlaneConditions;
import io.capoa.api.controlplane.v1beta1.MachineTemplate.InfrastructureReference;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneSpec;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.controlplane.machines.Action;
import io.capoa.controlplane.machines.Arbiters;
import io.capoa.controlplane.machines.BootstrapConfig;
import io.capoa.controlplane.machines.ControlPlaneMachine;
import io.capoa.controlplane.machines.InfrastructureMachine;
import io.capoa.controlplane.machines.MissingMachines;
import io.capoa.controlplane.observe.ControlPlaneObservation;
import io.capoa.controlplane.observe.ControlPlaneSources;
import io.capoa.controlplane.observe.LiveMachines;
import io.capoa.controlplane.release.RegistryBackoff;
import io.capoa.runtime.client.ByName;
import io.capoa.runtime.client.ObjectName;
import io.capoa.runtime.contract.Contracts;
import io.capoa.runtime.failure.ReconcileFailure;
import io.capoa.runtime.status.Blocker;
import io.capoa.runtime.threads.VirtualThreads;
import io.capoa.runtime.watch.NamedObjectEventSource.Target;
import io.capoa.runtime.write.Applier;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Creates missing Machines, each after its infrastructure machine and config. */
public final class MachineStep {

    /** Whether the desired Machines exist. */
    public sealed interface Creation {

        /** All desired Machines exist. */
        record Complete() implements Creation {}

        /** Machines are missing and cannot be created now. */
        record Waiting(String message) implements Creation {}

        /**
         * A Machine could not be created.
         *
         * @param namedObjects the object whose creation helps; {@code null} if nothing can be watched
         * @param again when to retry; {@code null} if the API server refused nothing
         */
        record Failed(
                Blocker blocker,
                @Nullable Target namedObjects,
                @Nullable Duration again) implements Creation {

            Failed(String reason, String message, @Nullable Target namedObjects) {
                this(new Blocker(reason, message), namedObjects, null);
            }

            Failed after(Duration pause) {
                return new Failed(blocker, namedObjects, pause);
            }
        }
    }

    /**
     * Where the template of infrastructure machines is named.
     *
     * @param field path of the reference
     */
    private record TemplateReference(InfrastructureReference reference, String field) {
        static TemplateReference of(ControlPlaneIdentity identity, boolean arbiter) {
            OpenshiftAssistedControlPlaneSpec spec = identity.controlPlane().getSpec();
            return new TemplateReference(Arbiters.infrastructure(spec, arbiter), Arbiters.field(spec, arbiter));
        }
    }

    private final ControlPlaneSources sources;
    private final KubernetesClient client;
    private final Contracts contracts;
    private final Applier applier;
    private final CreationPauses pauses;

    public MachineStep(
            ControlPlaneSources sources, KubernetesClient client, Contracts contracts, Applier applier, Clock clock) {
        this.sources = sources;
        this.client = client;
        this.contracts = contracts;
        this.applier = applier;
        this.pauses = new CreationPauses(clock, RegistryBackoff.standard());
    }

    /** Records the names of Machines created after the installation, before they are deleted: none is given twice. */
    void record(ControlPlaneObservation observation) {
        Map<String, Object> patch = observation.installed()
                ? MissingMachines.namesToRecord(
                        observation.identity(), observation.machines().names())
                : Map.of();
        if (!patch.isEmpty()) {
            applier.patch(observation.controlPlane(), patch);
        }
    }

    /** Drops the state of a deleted control plane. */
    public void forget(ResourceID controlPlane) {
        pauses.forget(controlPlane);
    }

    /**
     * Creates Machines.
     *
     * @param templates that this reconcile has read already
     */
    Creation create(
            ControlPlaneObservation observation,
            Cluster cluster,
            Action.Create wanted,
            Map<InfrastructureReference, GenericKubernetesResource> templates) {
        ControlPlaneIdentity identity = observation.identity();
        Optional<Creation.Failed> pausing = pauses.current(identity.controlPlane());
        if (pausing.isPresent()) {
            return pausing.get();
        }
        if (observation.installed() && isCacheStale(observation)) {
            return new Creation.Waiting("a Machine of the control plane has just been created");
        }
        List<MissingMachines.Missing> missing = MissingMachines.of(
                identity, cluster, wanted, observation.machines(), observation.configs(), observation.installed());
        return Stream.of(false, true)
                .map(arbiter -> missing.stream()
                        .filter(machine -> machine.arbiter() == arbiter)
                        .toList())
                .filter(machines -> !machines.isEmpty())
                .map(machines -> create(identity, machines, templates))
                .filter(each -> each instanceof Creation.Failed)
                .findFirst()
                .orElseGet(Creation.Complete::new);
    }

    /** Whether the API server has a Machine of the control plane that the cache lacks. */
    private boolean isCacheStale(ControlPlaneObservation observation) {
        return !observation
                .machines()
                .names()
                .containsAll(LiveMachines.list(client, observation.identity()).names());
    }

    /** Creates Machines of one role. */
    private Creation create(
            ControlPlaneIdentity identity,
            List<MissingMachines.Missing> missing,
            Map<InfrastructureReference, GenericKubernetesResource> templates) {
        TemplateReference source =
                TemplateReference.of(identity, missing.getFirst().arbiter());
        InfrastructureReference reference = source.reference();
        Optional<String> problem = ObjectName.problem(source.field() + ".name", reference.name());
        if (problem.isPresent()) {
            return new Creation.Failed(
                    ControlPlaneConditions.INFRASTRUCTURE_TEMPLATE_CLONING_FAILED, problem.get(), null);
        }
        Optional<ResourceDefinitionContext> definition = contracts.definition(reference.apiGroup(), reference.kind());
        if (definition.isEmpty()) {
            return new Creation.Failed(
                    ControlPlaneConditions.INFRASTRUCTURE_TEMPLATE_CLONING_FAILED,
                    "the API server has no kind %s of group %s with Cluster API's v1beta2 contract: install its provider, or correct %s"
                            .formatted(reference.kind(), reference.apiGroup(), source.field()),
                    null);
        }
        try {
            return create(identity, missing, source, definition.get(), templates.get(reference));
        } catch (KubernetesClientException e) {
            return pauses.recorded(identity.controlPlane(), unreadable(source, e));
        }
    }

    /**
     * Creates Machines.
     *
     * @param read the template, if it was read already
     * @throws KubernetesClientException when the template cannot be read
     */
    private Creation create(
            ControlPlaneIdentity identity,
            List<MissingMachines.Missing> missing,
            TemplateReference source,
            ResourceDefinitionContext definition,
            @Nullable GenericKubernetesResource read) {
        InfrastructureReference reference = source.reference();
        GenericKubernetesResource template = read != null
                ? read
                : ByName.select(
                                client.genericKubernetesResources(definition).inNamespace(identity.namespace()),
                                reference.name())
                        .get();
        if (template == null) {
            return new Creation.Failed(
                    ControlPlaneConditions.INFRASTRUCTURE_TEMPLATE_CLONING_FAILED,
                    "%s %s, which %s names, does not exist in namespace %s: create it"
                            .formatted(reference.kind(), reference.name(), source.field(), identity.namespace()),
                    target(definition, identity.namespace(), reference.name()));
        }
        Creation outcome = dryRun(identity, missing.getFirst());
        if (outcome instanceof Creation.Complete) {
            outcome = inParallel(missing, machine -> create(identity, reference, template, machine)).stream()
                    .filter(each -> each instanceof Creation.Failed)
                    .findFirst()
                    .orElseGet(Creation.Complete::new);
        }
        return pauses.recorded(identity.controlPlane(), outcome);
    }

    private static Creation.Failed unreadable(TemplateReference source, KubernetesClientException refusal) {
        return new Creation.Failed(
                        ControlPlaneConditions.INFRASTRUCTURE_TEMPLATE_CLONING_FAILED,
                        "%s %s, which %s names, cannot be read: %s"
                                .formatted(
                                        source.reference().kind(),
                                        source.reference().name(),
                                        source.field(),
                                        ReconcileFailure.of(refusal).message()),
                        null)
                .after(Duration.ZERO);
    }

    /** After a refusal, dry-runs one config first: if its webhook is still down, nothing else is attempted. */
    private Creation dryRun(ControlPlaneIdentity identity, MissingMachines.Missing machine) {
        if (!pauses.hasRefused(identity.controlPlane())) {
            return new Creation.Complete();
        }
        try {
            applier.dryRunCreate(BootstrapConfig.desired(identity, machine.name(), machine.arbiter()));
            return new Creation.Complete();
        } catch (KubernetesClientException e) {
            return refused(ControlPlaneConditions.BOOTSTRAP_TEMPLATE_CLONING_FAILED, machine, e);
        }
    }

    private static Creation.Failed refused(
            String reason, MissingMachines.Missing machine, KubernetesClientException refusal) {
        return new Creation.Failed(
                        reason,
                        "Machine %s could not be created: %s"
                                .formatted(
                                        machine.name(),
                                        ReconcileFailure.of(refusal).message()),
                        null)
                .after(Duration.ZERO);
    }

    /** Creates the Machines in parallel; they are independent. */
    private static List<Creation> inParallel(
            List<MissingMachines.Missing> machines, Function<MissingMachines.Missing, Creation> creation) {
        try (ExecutorService threads = VirtualThreads.perTask("machine-")) {
            return machines.stream()
                    .map(machine -> CompletableFuture.supplyAsync(() -> creation.apply(machine), threads))
                    .toList()
                    .stream()
                    .map(CompletableFuture::join)
                    .toList();
        }
    }

    private Creation create(
            ControlPlaneIdentity identity,
            InfrastructureReference reference,
            GenericKubernetesResource template,
            MissingMachines.Missing machine) {
        String reason = ControlPlaneConditions.INFRASTRUCTURE_TEMPLATE_CLONING_FAILED;
        try {
            GenericKubernetesResource desired =
                    InfrastructureMachine.desired(identity, reference, template, machine.name());
            GenericKubernetesResource earlier = applier.createOrRead(desired);
            if (earlier != null && !InfrastructureMachine.isFree(earlier)) {
                return new Creation.Failed(
                        ControlPlaneConditions.CREATING_MACHINES,
                        "%s %s of an earlier Machine still exists; Machine %s is created after its deletion"
                                .formatted(earlier.getKind(), machine.name(), machine.name()),
                        null);
            }
            if (earlier != null && !InfrastructureMachine.isMadeLike(identity, earlier, desired)) {
                return new Creation.Failed(
                        reason,
                        "%s %s exists but was cloned from template %s, not from %s: delete it, and it is cloned from the right one"
                                .formatted(
                                        earlier.getKind(),
                                        machine.name(),
                                        InfrastructureMachine.template(earlier),
                                        InfrastructureMachine.template(desired)),
                        null);
            }
            reason = ControlPlaneConditions.BOOTSTRAP_TEMPLATE_CLONING_FAILED;
            applier.create(sources.configs(), BootstrapConfig.desired(identity, machine.name(), machine.arbiter()));
            reason = ControlPlaneConditions.MACHINE_GENERATION_FAILED;
            applier.apply(sources.machines(), ControlPlaneMachine.desired(identity, machine), null);
            return new Creation.Complete();
        } catch (KubernetesClientException e) {
            return refused(reason, machine, e);
        }
    }

    private static Target target(ResourceDefinitionContext definition, String namespace, String name) {
        return new Target(
                definition.getGroup(),
                definition.getVersion(),
                definition.getKind(),
                definition.getPlural(),
                namespace,
                name);
    }
}
