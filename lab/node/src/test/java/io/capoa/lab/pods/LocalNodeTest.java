package io.capoa.lab.pods;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Deployments of known images become processes, and their status is correct. */
@Tag("full")
@ExtendWith(SharedNode.Resolver.class)
@Execution(ExecutionMode.CONCURRENT)
class LocalNodeTest {

    private static final String SLEEPS = "echo started; trap 'echo bye; exit 0' TERM; while :; do sleep 0.1; done";

    @Test
    void aDeployment_runs_andIsAvailable(SharedNode node) {
        String namespace = node.namespace();

        node.apply(namespace, deployment("sleeper", "example.org:5000/any/test/shell:v1@sha256:abc", 2, SLEEPS));

        awaitAvailable(node, namespace, "sleeper", 2);
        assertThat(node.running(namespace)).hasSize(2);
        Deployment deployment = node.admin()
                .apps()
                .deployments()
                .inNamespace(namespace)
                .withName("sleeper")
                .require();
        assertThat(deployment.getStatus().getObservedGeneration())
                .isEqualTo(deployment.getMetadata().getGeneration());
        assertThat(node.pods(namespace)).allSatisfy(pod -> {
            assertThat(pod.getStatus().getPhase()).isEqualTo("Running");
            assertThat(only(pod).getState().getRunning()).isNotNull();
        });
    }

    @Test
    void aProcessThatCrashes_isStartedAgain_withGrowingPauses_andAnEventThatQuotesNothing(SharedNode node) {
        String namespace = node.namespace();
        node.apply(
                namespace,
                deployment("crasher", "test/shell", 1, "echo it is broken; exit 3")
                        .replace("args:", "terminationMessagePolicy: FallbackToLogsOnError\n        args:"));

        await().atMost(SharedNode.SOON).untilAsserted(() -> {
            ContainerStatus status = only(node.pod(namespace));
            assertThat(status.getRestartCount()).isGreaterThanOrEqualTo(2);
            assertThat(status.getState().getWaiting()).isNotNull();
            assertThat(status.getState().getWaiting().getReason()).isEqualTo("CrashLoopBackOff");
            assertThat(status.getLastState().getTerminated().getExitCode()).isEqualTo(3);
            assertThat(status.getLastState().getTerminated().getMessage()).contains("it is broken");
        });
        Pod pod = node.pod(namespace);
        await().atMost(SharedNode.SOON)
                .untilAsserted(() -> assertThat(events(node, namespace))
                        .filteredOn(event -> event.getReason().equals("BackOff"))
                        .extracting(event -> event.getMessage())
                        .containsOnly("Back-off restarting failed container main in pod %s_%s(%s)"
                                .formatted(
                                        pod.getMetadata().getName(),
                                        namespace,
                                        pod.getMetadata().getUid())));
    }

    @Test
    void theMessageOfAnEnd_isWhatTheProcessWrote_andItsLogNeverWithoutThePolicy(SharedNode node) {
        String written = node.namespace();
        node.apply(
                written,
                deployment("writer", "test/shell", 1, "echo a line; echo the reason > /dev/termination-log; exit 1")
                        .replace("args:", "terminationMessagePolicy: FallbackToLogsOnError\n        args:"));
        String silent = node.namespace();
        node.apply(silent, deployment("silent", "test/shell", 1, "echo a line; exit 1"));

        await().atMost(SharedNode.SOON).untilAsserted(() -> {
            assertThat(only(node.pod(written)).getLastState().getTerminated())
                    .isNotNull()
                    .extracting(ended -> ended.getMessage())
                    .isEqualTo("the reason\n");
            assertThat(only(node.pod(silent)).getLastState().getTerminated())
                    .isNotNull()
                    .extracting(ended -> ended.getMessage())
                    .isNull();
        });
    }

    @Test
    void aProcessThatIsKilled_isStartedAgainAtOnce_inTheSamePod(SharedNode node) {
        String namespace = node.namespace();
        node.apply(namespace, deployment("victim", "test/shell", 1, SLEEPS));
        awaitAvailable(node, namespace, "victim", 1);
        long first = node.running(namespace).getFirst().pid();
        String pod = node.pod(namespace).getMetadata().getName();

        ProcessHandle.of(first).orElseThrow().destroyForcibly();

        await().atMost(SharedNode.SOON)
                .untilAsserted(() -> assertThat(node.running(namespace))
                        .extracting(LocalNode.RunningContainer::pid)
                        .hasSize(1)
                        .doesNotContain(first));
        await().atMost(SharedNode.SOON)
                .untilAsserted(() ->
                        assertThat(only(node.pod(namespace)).getRestartCount()).isEqualTo(1));
        assertThat(node.pod(namespace).getMetadata().getName()).isEqualTo(pod);
        assertThat(only(node.pod(namespace)).getLastState().getTerminated().getExitCode())
                .isEqualTo(137);
    }

    @Test
    void aChangedTemplate_startsTheNewOne_thenEndsTheOld_politely(SharedNode node) {
        String namespace = node.namespace();
        node.apply(namespace, deployment("roller", "test/shell", 1, SLEEPS));
        awaitAvailable(node, namespace, "roller", 1);
        long old = node.running(namespace).getFirst().pid();

        node.apply(namespace, deployment("roller", "test/shell", 1, "echo second; " + SLEEPS));

        await().atMost(SharedNode.SOON).untilAsserted(() -> {
            assertThat(node.log(namespace)).contains("second").contains("bye");
            assertThat(node.pods(namespace)).hasSize(1);
        });
        awaitEnd(old);
        awaitAvailable(node, namespace, "roller", 1);
    }

    @Test
    void scaledToZero_theProcessEnds_andThePodIsRemoved(SharedNode node) {
        String namespace = node.namespace();
        node.apply(namespace, deployment("zero", "test/shell", 1, SLEEPS));
        awaitAvailable(node, namespace, "zero", 1);
        long pid = node.running(namespace).getFirst().pid();

        node.admin()
                .apps()
                .deployments()
                .inNamespace(namespace)
                .withName("zero")
                .scale(0);

        await().atMost(SharedNode.SOON)
                .untilAsserted(() -> assertThat(node.pods(namespace)).isEmpty());
        awaitEnd(pid);
        assertThat(node.log(namespace)).contains("bye");
    }

    @Test
    void aProcessThatIgnoresTerm_isKilledAfterTheGracePeriod(SharedNode node) {
        String namespace = node.namespace();
        node.apply(
                namespace,
                deployment("stubborn", "test/shell", 1, "trap '' TERM; while :; do sleep 0.2; done")
                        .replace("terminationGracePeriodSeconds: 5", "terminationGracePeriodSeconds: 1"));
        awaitAvailable(node, namespace, "stubborn", 1);
        long pid = node.running(namespace).getFirst().pid();

        node.admin()
                .apps()
                .deployments()
                .inNamespace(namespace)
                .withName("stubborn")
                .delete();

        await().atMost(SharedNode.SOON)
                .untilAsserted(() -> assertThat(node.pods(namespace)).isEmpty());
        awaitEnd(pid);
    }

    @Test
    void anUnknownImage_isReported_andStartsWhenItIsKnown(SharedNode node) {
        String namespace = node.namespace();
        node.apply(namespace, deployment("stranger", "quay.io/unknown/image:v1", 1, SLEEPS));

        await().atMost(SharedNode.SOON).untilAsserted(() -> {
            var waiting = only(node.pod(namespace)).getState().getWaiting();
            assertThat(waiting.getReason()).isEqualTo("ErrImagePull");
            assertThat(waiting.getMessage())
                    .contains("no program for image quay.io/unknown/image:v1")
                    .contains("test/shell");
        });
        awaitEvent(node, namespace, "no program for image");

        node.node().learn(Program.of("unknown/image", List.of("sh", "-c")));

        awaitAvailable(node, namespace, "stranger", 1);
    }

    /** As where a Deployment of another release has been merged with that of an image without this program. */
    @Test
    void aCommandThatTheImageLacks_isReported(SharedNode node) {
        String namespace = node.namespace();
        node.node()
                .learn(new Program(
                        "test/strict",
                        "strict",
                        List.of("sh", "-c"),
                        new TreeMap<>(),
                        List.of(),
                        List.of(),
                        "/bin/app"));
        node.apply(
                namespace,
                deployment("strict", "test/strict", 1, SLEEPS)
                        .replace("image:", "command: [/manager]\n        image:"));

        await().atMost(SharedNode.SOON).untilAsserted(() -> {
            var waiting = only(node.pod(namespace)).getState().getWaiting();
            assertThat(waiting.getReason()).isEqualTo("RunContainerError");
            assertThat(waiting.getMessage()).contains("exec: \"/manager\": stat /manager: no such file or directory");
        });
    }

    @Test
    void moreMemoryThanTheLimit_isTheEndOfTheProcess(SharedNode node) {
        String namespace = node.namespace();
        node.apply(
                namespace,
                deployment(
                                "greedy",
                                "test/shell",
                                1,
                                "echo started; x=$(head -c 60000000 /dev/zero | tr '\\\\0' a); sleep 60")
                        .replace("image:", "resources: {limits: {memory: 30Mi}}\n        image:"));

        await().atMost(SharedNode.SOON)
                .untilAsserted(() -> assertThat(
                                only(node.pod(namespace)).getLastState().getTerminated())
                        .isNotNull()
                        .extracting(terminated -> terminated.getReason())
                        .isEqualTo("OOMKilled"));
    }

    static String deployment(String name, String image, int replicas, String script) {
        return """
                apiVersion: apps/v1
                kind: Deployment
                metadata:
                  name: %1$s
                spec:
                  replicas: %3$d
                  selector:
                    matchLabels: {app: %1$s}
                  template:
                    metadata:
                      labels: {app: %1$s}
                    spec:
                      automountServiceAccountToken: false
                      terminationGracePeriodSeconds: 5
                      containers:
                      - name: main
                        image: %2$s
                        args:
                        - "%4$s"
                """.formatted(name, image, replicas, script);
    }

    static void awaitAvailable(SharedNode node, String namespace, String name, int replicas) {
        await().atMost(SharedNode.SOON).untilAsserted(() -> {
            Deployment deployment = node.admin()
                    .apps()
                    .deployments()
                    .inNamespace(namespace)
                    .withName(name)
                    .require();
            assertThat(deployment.getStatus().getAvailableReplicas())
                    .as("%s", deployment.getStatus())
                    .isEqualTo(replicas);
            assertThat(deployment.getStatus().getUpdatedReplicas()).isEqualTo(replicas);
            assertThat(deployment.getStatus().getConditions()).anySatisfy(condition -> {
                assertThat(condition.getType()).isEqualTo("Available");
                assertThat(condition.getStatus()).isEqualTo("True");
            });
        });
    }

    /** An Event is written beside the status, before or after it. */
    static void awaitEvent(SharedNode node, String namespace, String... words) {
        await().atMost(SharedNode.SOON)
                .untilAsserted(() -> assertThat(events(node, namespace))
                        .anySatisfy(event -> assertThat(event.getMessage()).contains(words)));
    }

    private static List<Event> events(SharedNode node, String namespace) {
        return node.admin().v1().events().inNamespace(namespace).list().getItems();
    }

    /** The operating system removes a process once its exit code has been read. */
    static void awaitEnd(long pid) {
        await().atMost(SharedNode.SOON).until(() -> ProcessHandle.of(pid).isEmpty());
    }

    static ContainerStatus only(Pod pod) {
        List<ContainerStatus> statuses = pod.getStatus().getContainerStatuses();
        assertThat(statuses)
                .as("%s", Map.of(pod.getMetadata().getName(), pod.getStatus()))
                .hasSize(1);
        return statuses.getFirst();
    }
}
