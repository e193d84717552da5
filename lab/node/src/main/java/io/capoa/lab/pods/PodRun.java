package io.capoa.lab.pods;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One pod on this node: prepares volumes and identity, starts containers and restarts them. */
final class PodRun {

    private static final Logger LOG = LoggerFactory.getLogger(PodRun.class);

    /** Services and settings of a node, shared by its pods. */
    record Surroundings(
            Programs programs,
            Sources sources,
            PodEvents events,
            Path pods,
            Path logs,
            Duration backoff,
            Consumer<String> onRestart,
            IdentityOf identityOf) {}

    /** Creates the identity of a pod. */
    interface IdentityOf {
        Identity of(Pod pod, Path folder);
    }

    private final Surroundings node;
    private final Path folder;
    private final Identity identity;
    private final Volumes volumes;
    private final List<ContainerRun> containers = new ArrayList<>();

    PodRun(Pod pod, Surroundings node, Runnable changed) {
        this.node = node;
        this.folder = node.pods()
                .resolve("%s_%s_%s"
                        .formatted(
                                pod.getMetadata().getNamespace(),
                                pod.getMetadata().getName(),
                                pod.getMetadata().getUid()));
        this.identity = node.identityOf().of(pod, folder);
        this.volumes = new Volumes(pod, node.sources(), folder.resolve("volumes"), identity::token);
        List<Container> siblings = pod.getSpec().getContainers();
        siblings.forEach(container -> {
            containers.add(new ContainerRun(
                    container,
                    siblings,
                    new RestartBackoff(node.backoff()),
                    new TerminationMessage(
                            container, folder.resolve("containers").resolve(container.getName())),
                    changed));
            Probes.tellUnknown(container, message -> node.events().warn(pod, "Unsupported", message));
        });
    }

    List<ContainerRun> containers() {
        return containers;
    }

    /** The loopback port of a container port; empty while no container listens. */
    OptionalInt port(int containerPort) {
        return containers.stream()
                .map(container -> container.port(containerPort))
                .filter(OptionalInt::isPresent)
                .findFirst()
                .orElse(OptionalInt.empty());
    }

    boolean isRunning() {
        return containers.stream().anyMatch(ContainerRun::isRunning);
    }

    boolean isReady() {
        return containers.stream().allMatch(ContainerRun::isReady);
    }

    /** Reconciles the pod; returns the requeue delay, or {@code null} to wait for an event. */
    @Nullable
    Duration advance(Pod pod) throws IOException {
        containers.forEach(container -> takeEnd(pod, container));
        Optional<Waiting> missing = missing(pod);
        Duration next = null;
        for (ContainerRun container : containers) {
            container.takeFailure().ifPresent(why -> {
                node.events().warn(pod, "Unhealthy", why);
                node.events()
                        .normal(
                                pod,
                                "Killing",
                                "Container %s failed its probe, will be restarted"
                                        .formatted(container.container().getName()));
                container.end("Error");
            });
            if (!container.isRunning()) {
                next = sooner(next, start(pod, container, missing));
            }
        }
        return PodParts.wantsToken(pod) && missing.isEmpty() ? sooner(next, renewal()) : next;
    }

    /** Terminates all containers; the caller kills them after the grace period. */
    void end() {
        containers.forEach(container -> container.end("Completed"));
    }

    void kill() {
        containers.forEach(container -> container.kill("Error"));
    }

    /** Records exits without starting containers again. */
    void settle(Pod pod) {
        containers.forEach(container -> takeEnd(pod, container));
    }

    /** Removes its files. */
    void clear() throws IOException {
        AtomicFolder.remove(folder);
    }

    private void takeEnd(Pod pod, ContainerRun container) {
        container
                .takeEnd()
                .filter(ended -> pod.getMetadata().getDeletionTimestamp() == null)
                .ifPresent(ended -> {
                    String sentence = "Container %s of %s ended with exit code %d (%s) and is restarted"
                            .formatted(
                                    container.container().getName(),
                                    pod.getMetadata().getName(),
                                    ended.code(),
                                    ended.reason());
                    String said = ended.message().isBlank()
                            ? "."
                            : ": " + ended.message().strip();
                    LOG.warn("{}{}", sentence, said);
                    node.onRestart().accept(sentence + said);
                });
    }

    private @Nullable Duration start(Pod pod, ContainerRun container, Optional<Waiting> missing) throws IOException {
        Optional<String> noProgram =
                node.programs().problem(container.container().getImage());
        if (noProgram.isPresent()) {
            container.waitFor(new Waiting("ErrImagePull", noProgram.get()));
            node.events().warn(pod, "Failed", noProgram.get());
            return null;
        }
        if (missing.isPresent()) {
            container.waitFor(missing.get());
            node.events().warn(pod, "FailedMount", missing.get().message());
            return null;
        }
        Duration pause = container.pause(Instant.now());
        if (!pause.isZero()) {
            String name = container.container().getName();
            container.waitFor(new Waiting("CrashLoopBackOff", "back-off restarting failed container " + name));
            node.events()
                    .warn(
                            pod,
                            "BackOff",
                            "Back-off restarting failed container %s in pod %s_%s(%s)"
                                    .formatted(
                                            name,
                                            pod.getMetadata().getName(),
                                            pod.getMetadata().getNamespace(),
                                            pod.getMetadata().getUid()));
            return pause;
        }
        try {
            container.message().clear();
            container.start(launch(pod, container));
            node.events()
                    .normal(
                            pod,
                            "Started",
                            "Started container %s (%d)"
                                    .formatted(container.container().getName(), container.restarts()));
        } catch (UnmetRequirement e) {
            container.waitFor(e.waiting());
            node.events().warn(pod, "Failed", e.waiting().message());
        }
        return null;
    }

    private Launch launch(Pod pod, ContainerRun run) throws UnmetRequirement {
        Container container = run.container();
        Program program = node.programs().find(container.getImage()).orElseThrow();
        Optional<String> problem = program.problem(container.getCommand());
        if (problem.isPresent()) {
            throw new UnmetRequirement("RunContainerError", problem.get());
        }
        Map<String, Path> mounts = new HashMap<>(volumes.mounts(container));
        mounts.put(run.message().path(), run.message().file());
        Map<String, String> variables = new Environment(pod, node.sources()).of(container);
        Path log = node.logs()
                .resolve("%s.%s.%s.log"
                        .formatted(
                                pod.getMetadata().getNamespace(),
                                pod.getMetadata().getName(),
                                container.getName()));
        return Launch.of(pod, container, program, variables, mounts, identity, log);
    }

    /** Missing prerequisites of the whole pod. If a source is deleted, its last content is kept. */
    private Optional<Waiting> missing(Pod pod) throws IOException {
        try {
            java.nio.file.Files.createDirectories(folder);
            if (!pod.getSpec().getInitContainers().isEmpty()) {
                throw new UnmetRequirement("PodInitializing", "this node does not support init containers");
            }
            if (PodParts.wantsToken(pod)) {
                var unused = identity.keep();
            }
            volumes.sync();
            return Optional.empty();
        } catch (UnmetRequirement e) {
            return Optional.of(e.waiting());
        }
    }

    private @Nullable Duration renewal() throws IOException {
        try {
            return identity.keep();
        } catch (UnmetRequirement e) {
            // The ServiceAccount has been deleted; its recreation triggers an event.
            return null;
        }
    }

    private static @Nullable Duration sooner(@Nullable Duration one, @Nullable Duration other) {
        return one == null ? other : other == null ? one : one.compareTo(other) < 0 ? one : other;
    }
}
