package io.capoa.lab.conformance;

import io.capoa.api.contract.Machine;
import io.capoa.lab.LabNamespace;
import io.capoa.lab.cluster.ChildCommand;
import io.capoa.lab.cluster.ChildProcess;
import io.capoa.lab.cluster.CustomResourceDefinitions;
import io.capoa.lab.cluster.PollPause;
import io.capoa.lab.conformance.ClusterManifest.InfrastructureKind;
import io.capoa.lab.conformance.HistoryRules.Moment;
import io.capoa.lab.progress.ClusterRow;
import io.capoa.runtime.contract.Contracts;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Informable;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Installs a cluster on an infrastructure provider in the lab, records what the watches show, and checks kinds, roles,
 * objects and their order against the contract; then that a pause and the finalizer of a machine hold.
 */
public final class ConformanceRun implements AutoCloseable {

    private static final String OURS = "openshiftassisted.controlplane.cluster.x-k8s.io/aggregate-to-manager";
    private static final String CORES = "cluster.x-k8s.io/aggregate-to-manager";
    /** Group on which Cluster API core has rights of its own. */
    private static final String CORES_GROUP = "infrastructure.cluster.x-k8s.io";

    private static final List<String> READS = List.of("get", "list", "watch");
    private static final List<String> OURS_ON_MACHINES = List.of("get", "list", "watch", "create", "patch");
    private static final List<String> CORES_ON_ALL =
            List.of("get", "list", "watch", "create", "update", "patch", "delete");

    private final ProviderUnderTest provider;
    private final ClusterManifest manifest;
    private final LabNamespace lab;
    private final KubernetesClient admin;
    private final Contracts contracts;
    private final Path log;
    private final Consumer<String> progress;
    private final AtomicReference<ChildProcess.Exit> exit = new AtomicReference<>();
    private final MachineHistory history = new MachineHistory();
    private final List<AutoCloseable> started = new ArrayList<>();

    private ConformanceRun(ProviderUnderTest provider, LabNamespace lab, Path log, Consumer<String> progress) {
        this.provider = provider;
        this.lab = lab;
        this.manifest = provider.clusterManifest();
        this.admin = lab.admin();
        this.contracts = new Contracts(admin, Clock.systemUTC());
        this.log = log.toAbsolutePath();
        this.progress = progress;
    }

    /**
     * Checks the provider.
     *
     * @param log for the output of its controller, if it is not one of the lab
     * @param progress receives a sentence for each step
     */
    public static Verdict of(ProviderUnderTest provider, LabNamespace lab, Path log, Consumer<String> progress) {
        try (ConformanceRun run = new ConformanceRun(provider, lab, log, progress)) {
            return new Verdict(
                    provider.name(), run.breaches(), provider.isForeign() ? Optional.of(run.log) : Optional.empty());
        }
    }

    private List<Breach> breaches() {
        progress.accept("%s: checking kinds and roles".formatted(provider.name()));
        install();
        List<Breach> breaches = new ArrayList<>(kinds());
        if (!breaches.isEmpty()) {
            return breaches;
        }
        startController();
        record();
        progress.accept("%s: installing cluster %s".formatted(provider.name(), manifest.cluster()));
        lab.apply(read(provider.cluster()));
        Optional<String> waitsFor = awaitReady();
        breaches.addAll(inOrder(waitsFor.isPresent()));
        waitsFor.ifPresent(why -> breaches.add(new Breach("Cluster " + manifest.cluster(), why)));
        breaches.addAll(objects(waitsFor.isEmpty()));
        if (waitsFor.isEmpty()) {
            progress.accept("%s: deleting a worker".formatted(provider.name()));
            breaches.addAll(new DeletionCheck(lab, provider, manifest.cluster(), contracts).of(worker()));
            breaches.addAll(inOrder(true));
        }
        return breaches;
    }

    private void install() {
        if (provider.isForeign()) {
            new CustomResourceDefinitions(admin).install(provider.definitionObjects());
            provider.manifestObjects()
                    .forEach(object -> admin.resource(object)
                            .fieldManager("conformance")
                            .forceConflicts()
                            .serverSideApply());
        }
    }

    /** Breaches of CustomResourceDefinitions and roles; those of a foreign provider as its author ships them. */
    private List<Breach> kinds() {
        List<Breach> breaches = new ArrayList<>();
        Stream.concat(
                        Stream.of(manifest.infrastructure()),
                        manifest.machines().stream().flatMap(kind -> Stream.of(kind, kind.template())))
                .forEach(kind -> definition(kind)
                        .ifPresentOrElse(
                                definition -> {
                                    breaches.addAll(DefinitionRules.check(definition));
                                    breaches.addAll(rights(definition, kind));
                                },
                                () -> breaches.add(new Breach(
                                        "Kind " + kind.kind(),
                                        "no CustomResourceDefinition is named %s: add it to the definitions"
                                                .formatted(definitionName(kind))))));
        return breaches;
    }

    private List<Breach> rights(CustomResourceDefinition definition, InfrastructureKind kind) {
        List<Breach> breaches = new ArrayList<>();
        if (!kind.equals(manifest.infrastructure())) {
            List<String> verbs = manifest.machines().contains(kind) ? OURS_ON_MACHINES : READS;
            breaches.addAll(rights(definition, verbs, OURS));
        }
        if (!kind.group().equals(CORES_GROUP)) {
            breaches.addAll(rights(definition, CORES_ON_ALL, CORES));
        }
        return breaches;
    }

    private List<Breach> rights(CustomResourceDefinition definition, List<String> verbs, String label) {
        var rules = admin.rbac().clusterRoles().withLabel(label, "true").list().getItems().stream()
                .map(ClusterRole::getRules)
                .flatMap(List::stream)
                .toList();
        return DefinitionRules.check(definition, verbs, label, rules);
    }

    private Optional<CustomResourceDefinition> definition(InfrastructureKind kind) {
        String name = definitionName(kind);
        if (!provider.isForeign()) {
            return Optional.ofNullable(admin.apiextensions()
                    .v1()
                    .customResourceDefinitions()
                    .withName(name)
                    .get());
        }
        return provider.definitionObjects().stream()
                .filter(object -> name.equals(object.getMetadata().getName()))
                .map(object -> admin.getKubernetesSerialization().convertValue(object, CustomResourceDefinition.class))
                .findFirst();
    }

    private static String definitionName(InfrastructureKind kind) {
        return Contracts.plural(kind.kind()) + "." + kind.group();
    }

    private void startController() {
        if (provider.isForeign()) {
            started.add(ChildCommand.of(
                            "the controller of " + provider.name(),
                            log,
                            provider.commands().controller())
                    .inDirectory(provider.folder())
                    .withEnvironment(
                            Map.of("KUBECONFIG", lab.cluster().adminKubeconfig().toString()))
                    .start(exit::set));
        }
    }

    private void record() {
        watch(admin.resources(Machine.class).inNamespace(lab.name()), history::owner);
        manifest.machines().forEach(kind -> watch(objectsOf(kind), object -> history.machine(kind, object)));
    }

    private <R extends HasMetadata> void watch(Informable<R> kind, Consumer<R> recorder) {
        SharedIndexInformer<R> informer = kind.inform(new ResourceEventHandler<>() {
            @Override
            public void onAdd(R added) {
                recorder.accept(added);
            }

            @Override
            public void onUpdate(R before, R after) {
                recorder.accept(after);
            }

            @Override
            public void onDelete(R deleted, boolean stateUnknown) {
                // Its last version has been recorded.
            }
        });
        started.add(informer);
    }

    /** Why the cluster does not become Ready; empty if it does. */
    private Optional<String> awaitReady() {
        boolean over = PollPause.until(
                provider.patience(),
                () -> isReady() || exit.get() != null || !inOrder(false).isEmpty());
        if (!over) {
            return Optional.of("it is not Ready after %d s; it waits for: %s"
                    .formatted(provider.patience().toSeconds(), waitsFor()));
        }
        if (exit.get() != null) {
            return Optional.of(exit.get().describe());
        }
        return isReady() ? Optional.empty() : Optional.of("its installation was given up: a host has nothing to boot");
    }

    private boolean isReady() {
        List<ClusterRow> rows = lab.rows();
        return !rows.isEmpty() && rows.stream().allMatch(ClusterRow::ready);
    }

    private String waitsFor() {
        return String.join(
                "; ",
                lab.rows().stream().flatMap(row -> row.waitingFor().stream()).toList());
    }

    private List<Breach> inOrder(boolean complete) {
        List<List<Moment>> histories = complete ? history.finalHistories() : history.histories();
        return histories.stream()
                .flatMap(moments ->
                        Stream.concat(HistoryRules.order(moments).stream(), HistoryRules.steadiness(moments).stream()))
                .toList();
    }

    private List<Breach> objects(boolean ready) {
        List<Breach> breaches = new ArrayList<>();
        objectsOf(manifest.infrastructure())
                .list()
                .getItems()
                .forEach(cluster -> breaches.addAll(ObjectRules.cluster(cluster)));
        for (InfrastructureKind kind : manifest.machines()) {
            objectsOf(kind.template())
                    .list()
                    .getItems()
                    .forEach(template -> breaches.addAll(ObjectRules.template(template)));
            if (ready) {
                breaches.addAll(ObjectRules.machines(objectsOf(kind).list().getItems(), nodes()));
            }
        }
        return breaches;
    }

    private NonNamespaceOperation<
                    GenericKubernetesResource, GenericKubernetesResourceList, Resource<GenericKubernetesResource>>
            objectsOf(InfrastructureKind kind) {
        return admin.genericKubernetesResources(
                        contracts.definition(kind.group(), kind.kind()).orElseThrow())
                .inNamespace(lab.name());
    }

    private List<String> nodes() {
        try (KubernetesClient workload = lab.workload(manifest.cluster())) {
            return workload.nodes().list().getItems().stream()
                    .map(node -> node.getSpec().getProviderID())
                    .toList();
        }
    }

    private Optional<Machine> worker() {
        return lab.machines().stream()
                .filter(machine -> !machine.getMetadata().getLabels().containsKey("cluster.x-k8s.io/control-plane"))
                .findFirst();
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        for (AutoCloseable part : started.reversed()) {
            try {
                part.close();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
