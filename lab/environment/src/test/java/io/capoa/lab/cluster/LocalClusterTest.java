package io.capoa.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.capoa.lab.cluster.ControlPlaneProcesses.LoopbackPorts;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.authentication.SelfSubjectReview;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

@Tag("full")
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock("clusters of one test")
class LocalClusterTest {

    private static final LocalCluster CLUSTER =
            LocalCluster.builder().users("user", "other-user").start();

    @TempDir
    private Path folder;

    @AfterAll
    static void stop() {
        CLUSTER.close();
    }

    @Test
    void whenAUserHasNoRights_isForbidden() {
        assertThat(CLUSTER.admin().namespaces().withName("default").get()).isNotNull();
        try (KubernetesClient client = CLUSTER.clientOf("user")) {
            assertThatExceptionOfType(KubernetesClientException.class)
                    .isThrownBy(() -> client.secrets().inNamespace("default").list())
                    .satisfies(e -> assertThat(e.getCode()).isEqualTo(403));
        }
    }

    @Test
    void whenUsersReviewThemselves_eachHasItsOwnNameAndNoneIsAnAdministrator() {
        for (String user : List.of("user", "other-user", KnownUsers.BOOTSTRAP_PROVIDER)) {
            try (KubernetesClient client = CLUSTER.clientOf(user)) {
                SelfSubjectReview answer =
                        client.resource(new SelfSubjectReview()).create();
                assertThat(answer.getStatus().getUserInfo().getUsername()).isEqualTo(user);
                assertThat(answer.getStatus().getUserInfo().getGroups()).doesNotContain("system:masters");
            }
        }
    }

    @Test
    void whenAUserWasNotDeclared_saysSo() {
        assertThatExceptionOfType(ClusterException.class)
                .isThrownBy(() -> CLUSTER.kubeconfigOf("stranger"))
                .withMessageContaining("stranger")
                .withMessageContaining("other-user");
    }

    @Test
    void whenAPortIsTakenInBetween_anotherIsUsedAndCloseLeavesNoProcess() throws IOException {
        List<Long> processes = new ArrayList<>();
        Path state = folder.resolve("state");
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            AtomicInteger tries = new AtomicInteger();
            LocalCluster second = LocalCluster.builder()
                    .state(state)
                    .ports(() -> {
                        LoopbackPorts free = LoopbackPorts.free();
                        return tries.getAndIncrement() > 0
                                ? free
                                : new LoopbackPorts(
                                        taken.getLocalPort(),
                                        free.etcdClient(),
                                        free.etcdPeer(),
                                        free.controllerManager());
                    })
                    .start();
            processes.addAll(second.processIds().values());
            second.close();
            assertThat(tries).hasValue(2);
        }
        assertThat(processes)
                .hasSizeGreaterThanOrEqualTo(2)
                .allSatisfy(pid -> assertThat(ProcessHandle.of(pid)).isEmpty());
        assertThat(state.resolve("audit.log")).isNotEmptyFile();
        assertThat(state.resolve("kubeconfig")).isNotEmptyFile();
    }

    @Test
    void whenTheApiServerDoesNotComeUp_quotesItsLogAndLeavesNothingRunning() throws IOException {
        Path broken = Files.writeString(folder.resolve("kube-apiserver"), "#!/bin/sh\necho no luck today\nexit 3\n");
        Files.setPosixFilePermissions(broken, PosixFilePermissions.fromString("rwxr-xr-x"));
        Binaries real = Binaries.ofThisProcess();
        BinarySource source =
                tool -> tool == Tool.KUBE_APISERVER ? Optional.of(broken) : Optional.of(real.require(tool));
        Path state = folder.resolve("broken");

        assertThatExceptionOfType(ClusterException.class)
                .isThrownBy(() -> LocalCluster.builder()
                        .state(state)
                        .binaries(new Binaries(List.of(source)))
                        .start())
                .withMessageContaining("kube-apiserver ended with exit code 3")
                .withMessageContaining("no luck today");
        assertThat(processesOf(state)).isEmpty();
    }

    @Test
    void whenTheControllerManagerGivesUp_itIsStartedAgain() throws IOException {
        Binaries real = Binaries.ofThisProcess();
        Path mark = folder.resolve("gave-up");
        Path hasty = Files.writeString(folder.resolve("kube-controller-manager"), """
                #!/bin/sh
                if [ ! -e "%1$s" ]; then
                  touch "%1$s"
                  echo "failed to wait for apiserver being healthy"
                  exit 1
                fi
                exec "%2$s" "$@"
                """.formatted(
                        mark, real.require(Tool.KUBE_CONTROLLER_MANAGER)));
        Files.setPosixFilePermissions(hasty, PosixFilePermissions.fromString("rwxr-xr-x"));
        BinarySource source =
                tool -> tool == Tool.KUBE_CONTROLLER_MANAGER ? Optional.of(hasty) : Optional.of(real.require(tool));
        List<String> said = new CopyOnWriteArrayList<>();

        try (LocalCluster cluster = LocalCluster.builder()
                .state(folder.resolve("hasty"))
                .binaries(new Binaries(List.of(source)))
                .onRestart(said::add)
                .start()) {
            await().atMost(Duration.ofSeconds(60))
                    .ignoreExceptions()
                    .until(() -> cluster.admin()
                                    .serviceAccounts()
                                    .inNamespace("default")
                                    .withName("default")
                                    .get()
                            != null);
            assertThat(mark).exists();
            assertThat(said).anyMatch(line -> line.startsWith("kube-controller-manager ended with exit code 1"));
        }
    }

    @Test
    void whenTheJvmIsKilled_theControlPlaneEnds() throws Exception {
        Process jvm = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        StartsACluster.class.getName(),
                        folder.resolve("killed").toString())
                .start();
        List<Long> processes = new ArrayList<>();
        String line = jvm.inputReader().readLine();
        while (line != null && !line.equals("ready")) {
            if (line.matches("\\d+")) {
                processes.add(Long.parseLong(line));
            }
            line = jvm.inputReader().readLine();
        }
        assertThat(processes).hasSizeGreaterThanOrEqualTo(2);

        jvm.destroyForcibly();

        await().atMost(Duration.ofSeconds(20))
                .until(() ->
                        processes.stream().allMatch(pid -> ProcessHandle.of(pid).isEmpty()));
    }

    @Test
    void whenAPartIsKilled_itIsStartedAgain_withPortTokensAndData() {
        List<String> said = new CopyOnWriteArrayList<>();
        try (LocalCluster cluster = LocalCluster.builder().onRestart(said::add).start()) {
            List<String> seen = new CopyOnWriteArrayList<>();
            var informer = cluster.admin().configMaps().inNamespace("default").inform(new ResourceEventHandler<>() {
                @Override
                public void onAdd(ConfigMap added) {
                    seen.add(added.getMetadata().getName());
                }

                @Override
                public void onUpdate(ConfigMap before, ConfigMap after) {}

                @Override
                public void onDelete(ConfigMap deleted, boolean stateUnknown) {}
            });
            for (String part : List.copyOf(cluster.processIds().keySet())) {
                create(cluster, "before-" + part);

                kill(cluster, part, said);

                await().atMost(Duration.ofSeconds(60)).ignoreExceptions().until(() -> create(cluster, "after-" + part));
                await().atMost(Duration.ofSeconds(60))
                        .untilAsserted(() -> assertThat(seen).contains("before-" + part, "after-" + part));
            }
            informer.close();
        }
    }

    /**
     * Kills a part and waits until it is started again. The controller manager may exit by itself while the API server
     * is away; then the one that is started in its place is killed.
     */
    private static void kill(LocalCluster cluster, String part, List<String> said) {
        AtomicLong killed = new AtomicLong();
        await().atMost(Duration.ofSeconds(60)).until(() -> {
            long running = Objects.requireNonNull(cluster.processIds().get(part));
            if (said.stream().anyMatch(line -> line.startsWith(part + " ended with exit code 137"))) {
                return running != killed.get();
            }
            if (running != killed.get()) {
                ProcessHandle.of(running).ifPresent(process -> {
                    killed.set(running);
                    process.destroyForcibly();
                });
            }
            return false;
        });
    }

    /** Whether it exists, created now or earlier. */
    private static boolean create(LocalCluster cluster, String name) {
        cluster.admin()
                .resource(new ConfigMapBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .withNamespace("default")
                        .endMetadata()
                        .build())
                .serverSideApply();
        return true;
    }

    /** Processes with its folder as argument; other tests start processes meanwhile. */
    private static List<String> processesOf(Path state) {
        return ProcessHandle.current()
                .descendants()
                .flatMap(process -> process.info().commandLine().stream())
                .filter(command -> command.contains(state.toString()))
                .toList();
    }

    /** A JVM with a cluster that is never closed. */
    static final class StartsACluster {

        private StartsACluster() {}

        public static void main(String[] arguments) throws InterruptedException {
            LocalCluster cluster =
                    LocalCluster.builder().state(Path.of(arguments[0])).start();
            cluster.processIds().values().forEach(System.out::println);
            System.out.println("ready");
            Thread.sleep(Duration.ofMinutes(10));
        }
    }
}
