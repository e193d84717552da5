package io.capoa.lab.conformance;

import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.ContractReference;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import io.capoa.api.contract.MachineView;
import io.capoa.lab.LabNamespace;
import io.capoa.lab.cluster.PollPause;
import io.capoa.runtime.contract.Contracts;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Listable;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/** Deletes a worker: its infrastructure machine has to stay while it or its Cluster is paused, and while its host exists. */
final class DeletionCheck {

    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);
    private static final Duration HELD_FOR = Duration.ofSeconds(2);

    private final LabNamespace lab;
    private final ProviderUnderTest provider;
    private final String cluster;
    private final Contracts contracts;

    DeletionCheck(LabNamespace lab, ProviderUnderTest provider, String cluster, Contracts contracts) {
        this.lab = lab;
        this.provider = provider;
        this.cluster = cluster;
        this.contracts = contracts;
    }

    /** Breaches while the worker is deleted; none without a worker. */
    List<Breach> of(Optional<Machine> worker) {
        return worker.flatMap(this::breach).stream().toList();
    }

    private Optional<Breach> breach(Machine machine) {
        Resource<GenericKubernetesResource> infrastructure = infrastructure(machine);
        GenericKubernetesResource before = infrastructure.require();
        if (before.getMetadata().getFinalizers().isEmpty()) {
            // A breach already; without a finalizer no pause can hold.
            return Optional.empty();
        }
        String object = before.getKind() + " " + before.getMetadata().getName();
        Set<String> known = uids(ofItsKind(machine));
        patch(infrastructure, "{\"metadata\":{\"annotations\":{\"cluster.x-k8s.io/paused\":\"\"}}}");
        lab.admin().resource(machine).delete();
        boolean held = PollPause.until(provider.patience(), () -> isDeleting(infrastructure.get()))
                && infrastructure.get() != null
                && isHeldUntil(infrastructure, () -> hasFinalizer(ofItsKind(machine), known));
        if (held) {
            pauseCluster(true);
            held = isHeld(infrastructure);
        }
        if (!held) {
            pauseCluster(false);
            return Optional.of(new Breach(
                    object, "it was removed while it had annotation cluster.x-k8s.io/paused: wait for its end"));
        }
        held = endPause(infrastructure) && isHeld(infrastructure);
        pauseCluster(false);
        if (!held) {
            return Optional.of(
                    new Breach(object, "it was removed while spec.paused of its Cluster was true: wait for its end"));
        }
        if (!PollPause.until(provider.patience(), () -> infrastructure.get() == null)) {
            return Optional.of(new Breach(
                    object,
                    "it still has finalizers %s %d s after its deletion and the end of the pause: remove them once the instance is gone"
                            .formatted(
                                    infrastructure.require().getMetadata().getFinalizers(),
                                    provider.patience().toSeconds())));
        }
        return hostExists(before)
                ? Optional.of(new Breach(
                        object,
                        "it was removed while its instance %s exists: remove the finalizer after the instance"
                                .formatted(Fields.string(before, "spec", "providerID"))))
                : Optional.empty();
    }

    private Resource<GenericKubernetesResource> infrastructure(Machine machine) {
        return ofItsKind(machine)
                .withName(MachineView.of(machine).infrastructureRef().name());
    }

    /** The infrastructure machines of the namespace that are of the Machine's kind. */
    private NonNamespaceOperation<
                    GenericKubernetesResource, GenericKubernetesResourceList, Resource<GenericKubernetesResource>>
            ofItsKind(Machine machine) {
        ContractReference reference = MachineView.of(machine).infrastructureRef();
        return lab.admin()
                .genericKubernetesResources(contracts
                        .definition(String.valueOf(reference.group()), String.valueOf(reference.kind()))
                        .orElseThrow())
                .inNamespace(lab.name());
    }

    private void pauseCluster(boolean paused) {
        patch(
                lab.admin()
                        .genericKubernetesResources("cluster.x-k8s.io/v1beta2", "Cluster")
                        .inNamespace(lab.name())
                        .withName(cluster),
                "{\"spec\":{\"paused\":%s}}".formatted(paused));
    }

    /** Removes the annotation; returns whether the object was still there. */
    private static boolean endPause(Resource<GenericKubernetesResource> object) {
        try {
            patch(object, "{\"metadata\":{\"annotations\":{\"cluster.x-k8s.io/paused\":null}}}");
            return true;
        } catch (KubernetesClientException e) {
            if (e.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
                return false;
            }
            throw e;
        }
    }

    private static void patch(Resource<GenericKubernetesResource> object, String change) {
        var unused = object.patch(MERGE, change);
    }

    /** Whether the object is being deleted, or gone. */
    private static boolean isDeleting(GenericKubernetesResource object) {
        return object == null || object.getMetadata().getDeletionTimestamp() != null;
    }

    /**
     * Whether it stays until the provider has served the replacement, which is created after the deletion: only then has a
     * slow provider had the occasion to remove it.
     */
    private boolean isHeldUntil(Resource<GenericKubernetesResource> object, BooleanSupplier served) {
        var unused = PollPause.until(provider.patience(), () -> object.get() == null || served.getAsBoolean());
        return isHeld(object);
    }

    private static Set<String> uids(Listable<GenericKubernetesResourceList> machines) {
        return machines.list().getItems().stream()
                .map(machine -> machine.getMetadata().getUid())
                .collect(Collectors.toSet());
    }

    /** Whether a machine besides the known ones has a finalizer. */
    private static boolean hasFinalizer(Listable<GenericKubernetesResourceList> machines, Set<String> known) {
        return machines.list().getItems().stream()
                .filter(machine -> !known.contains(machine.getMetadata().getUid()))
                .anyMatch(machine -> !machine.getMetadata().getFinalizers().isEmpty());
    }

    private static boolean isHeld(Resource<GenericKubernetesResource> object) {
        return !PollPause.until(HELD_FOR, () -> object.get() == null);
    }

    /** Whether the host of a machine that is gone still belongs to it; unknown counts as no. */
    private boolean hostExists(GenericKubernetesResource machine) {
        String name = machine.getMetadata().getName();
        if (machine.getKind().equals("Metal3Machine")) {
            return lab.admin().resources(BareMetalHost.class).inNamespace(lab.name()).list().getItems().stream()
                    .anyMatch(host -> name.equals(Fields.string(host, "spec", "consumerRef", "name")));
        }
        if (!provider.isForeign()) {
            return lab.peers().cloud().isRunning(lab.name(), name);
        }
        List<String> command = provider.commands().instances();
        return !command.isEmpty()
                && output(command)
                        .lines()
                        .anyMatch(line -> line.strip().equals(Fields.string(machine, "spec", "providerID")));
    }

    private String output(List<String> command) {
        try {
            Process process = new ProcessBuilder(command)
                    .directory(provider.folder().toFile())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new IllegalStateException(
                        "Field instances: %s ended with exit code %d.".formatted(command, process.exitValue()));
            }
            return output;
        } catch (IOException e) {
            throw new IllegalStateException("Field instances: cannot run %s: %s".formatted(command, e.getMessage()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
