package io.capoa.lab.pods;

import io.fabric8.kubernetes.api.model.ContainerState;
import io.fabric8.kubernetes.api.model.ContainerStateBuilder;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.ContainerStatusBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodConditionBuilder;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.PodStatusBuilder;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Computes a pod's status from its containers. */
final class PodStatuses {

    private PodStatuses() {}

    /** The desired status; unchanged conditions keep their transition times. */
    static PodStatus of(Pod pod, List<ContainerRun> containers) {
        PodStatus before = Objects.requireNonNullElseGet(pod.getStatus(), PodStatus::new);
        boolean begun =
                containers.stream().anyMatch(c -> c.isRunning() || c.last().isPresent());
        List<String> notReady = containers.stream()
                .filter(c -> !c.isReady())
                .map(c -> c.container().getName())
                .toList();
        boolean ready = notReady.isEmpty() && pod.getMetadata().getDeletionTimestamp() == null;
        String message = notReady.isEmpty() ? null : "containers with unready status: " + notReady;
        String reason = notReady.isEmpty() ? null : "ContainersNotReady";
        List<PodCondition> conditions = new ArrayList<>();
        conditions.add(condition(before, "PodScheduled", true, null, null));
        conditions.add(condition(before, "Initialized", true, null, null));
        conditions.add(condition(before, "ContainersReady", ready, reason, message));
        conditions.add(condition(before, "Ready", ready, reason, message));
        return new PodStatusBuilder()
                .withPhase(begun ? "Running" : "Pending")
                .withStartTime(before.getStartTime() == null ? time(Instant.now()) : before.getStartTime())
                .withConditions(conditions)
                .withContainerStatuses(
                        containers.stream().map(PodStatuses::container).toList())
                .build();
    }

    /** Whether two statuses are equal. */
    static boolean same(@Nullable PodStatus has, PodStatus wants) {
        return has != null
                && Objects.equals(has.getPhase(), wants.getPhase())
                && said(has).equals(said(wants))
                && has.getContainerStatuses().equals(wants.getContainerStatuses());
    }

    private static String said(PodStatus status) {
        return status.getConditions().stream()
                .map(c -> Stream.of(c.getType(), c.getStatus(), c.getReason(), c.getMessage())
                        .map(String::valueOf)
                        .collect(Collectors.joining(" ")))
                .collect(Collectors.joining("; "));
    }

    private static PodCondition condition(
            PodStatus before, String type, boolean holds, @Nullable String reason, @Nullable String message) {
        String status = holds ? "True" : "False";
        String since = before.getConditions().stream()
                .filter(c -> c.getType().equals(type) && c.getStatus().equals(status))
                .map(PodCondition::getLastTransitionTime)
                .findFirst()
                .orElseGet(() -> time(Instant.now()));
        return new PodConditionBuilder()
                .withType(type)
                .withStatus(status)
                .withReason(reason)
                .withMessage(message)
                .withLastTransitionTime(since)
                .build();
    }

    private static ContainerStatus container(ContainerRun run) {
        return new ContainerStatusBuilder()
                .withName(run.container().getName())
                .withImage(run.container().getImage())
                .withImageID("")
                .withReady(run.isReady())
                .withStarted(run.hasStarted())
                .withRestartCount(run.restarts())
                .withContainerID(run.process()
                        .map(process -> "process://" + process.pid())
                        .orElse(null))
                .withState(state(run))
                .withLastState(
                        run.last().map(PodStatuses::terminated).orElseGet(() -> new ContainerStateBuilder().build()))
                .build();
    }

    private static ContainerState state(ContainerRun run) {
        if (run.isRunning()) {
            return new ContainerStateBuilder()
                    .withNewRunning()
                    .withStartedAt(time(run.started()))
                    .endRunning()
                    .build();
        }
        String message = run.waiting().message();
        return new ContainerStateBuilder()
                .withNewWaiting()
                .withReason(run.waiting().reason())
                .withMessage(message.isEmpty() ? null : message)
                .endWaiting()
                .build();
    }

    private static ContainerState terminated(ContainerRun.Ended ended) {
        return new ContainerStateBuilder()
                .withNewTerminated()
                .withExitCode(ended.code())
                .withReason(ended.reason())
                .withMessage(ended.message().isEmpty() ? null : ended.message())
                .withStartedAt(time(ended.started()))
                .withFinishedAt(time(ended.finished()))
                .endTerminated()
                .build();
    }

    private static String time(Instant instant) {
        return instant.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
