package io.capoa.lab.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.lab.cluster.AuditEntry;
import io.capoa.lab.cluster.AuditLog;
import io.capoa.lab.cluster.ProjectRoot;
import io.capoa.lab.command.LabCommand.Ended;
import io.capoa.lab.provider.Provider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Light peers, {@code --light}: the providers do what they do with the full ones, and other inputs are refused. */
@Tag("full")
@Tag("whole")
@Order(LabCommand.EARLY)
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(LabCommand.ONE_AT_A_TIME)
class LightTest {

    private static final int NAMESPACES = 2;

    @TempDir
    private Path folder;

    @Test
    void theProvidersWriteWhatTheyWriteWithTheFullPeers() throws Exception {
        AuditLog full = installed("full");
        AuditLog light = installed("light", "--light");

        for (Provider provider : Provider.values()) {
            Map<String, Long> usual = writes(full, provider);
            Map<String, Long> found = writes(light, provider);
            assertThat(without(found, LightTest::mayDiffer)).isEqualTo(without(usual, LightTest::mayDiffer));
            assertThat(sum(found)).isBetween(sum(usual) * 3 / 4, sum(usual) * 5 / 4);
        }
        assertThat(total(light)).isLessThan(total(full) * 3 / 4);
    }

    private AuditLog installed(String name, String... peers) throws Exception {
        Path state = folder.resolve(name);
        String one = sample();
        Path two = Files.writeString(folder.resolve(name + ".yaml"), one + "---\n" + one.replace("multinode", "other"));
        Ended ended = LabCommand.up(
                state,
                Stream.concat(
                                Stream.of(peers),
                                Stream.of(
                                        "--once",
                                        "--workers",
                                        "0",
                                        "--clusters",
                                        String.valueOf(NAMESPACES),
                                        two.toString()))
                        .toArray(String[]::new));
        assertThat(ended.code()).as(ended.text()).isZero();
        assertThat(ended.text()).contains("Ready: %d clusters".formatted(2 * NAMESPACES));
        return new AuditLog(state.resolve("audit.log"));
    }

    private static String sample() throws IOException {
        return Files.readString(ProjectRoot.find().resolve("config/samples/multinode.yaml"));
    }

    /** Successful writes to the clusters' objects by verb and resource. */
    private static Map<String, Long> writes(AuditLog log, Provider provider) {
        return log.since(log.start()).stream()
                .filter(entry -> entry.user().equals(provider.user()))
                .filter(LightTest::counts)
                .collect(Collectors.groupingBy(
                        entry -> entry.verb() + " " + entry.resource()
                                + (entry.subresource().isEmpty() ? "" : "/" + entry.subresource()),
                        TreeMap::new,
                        Collectors.counting()));
    }

    private static long total(AuditLog log) {
        return log.since(log.start()).stream().filter(LightTest::counts).count();
    }

    private static boolean counts(AuditEntry entry) {
        return entry.isWrite() && entry.succeeded() && entry.namespace().startsWith("demo");
    }

    /** How many states a status shows depends on how long each lasts; the lab may end before the last of the others. */
    private static boolean mayDiffer(String write) {
        return write.endsWith("/status") || write.equals("create events") || write.equals("patch secrets");
    }

    private static Map<String, Long> without(Map<String, Long> writes, Predicate<String> left) {
        Map<String, Long> rest = new TreeMap<>(writes);
        rest.keySet().removeIf(left);
        return rest;
    }

    private static long sum(Map<String, Long> writes) {
        return writes.values().stream().mapToLong(Long::longValue).sum();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        replicas: 3          | replicas: 3            | workers (add --workers 0): MachineDeployment multinode-worker
        replicas: 3          | replicas: 5            | control planes of other than 3 hosts: OpenshiftAssistedControlPlane multinode
        diskFormat: qcow2    | diskFormat: live-iso   | hosts that do not boot a disk image (qcow2): Metal3MachineTemplate multinode-controlplane
        kind: Metal3Cluster  | kind: LabCloudCluster  | infrastructure of kind LabCloudCluster: Cluster multinode
        kind: Metal3DataTemplate | kind: MachineHealthCheck | objects of kind MachineHealthCheck: MachineHealthCheck multinode
        """)
    void whatIsNotSimulated_isRefusedByName(String text, String other, String refusal) throws Exception {
        Path file = Files.writeString(folder.resolve("input.yaml"), sample().replaceFirst(text, other));

        Ended ended = LabCommand.up(folder.resolve("refused"), "--light", "--once", file.toString());

        assertThat(ended.code()).isEqualTo(2);
        assertThat(ended.text()).isEqualTo("--light does not simulate " + refusal + " of " + file + ".");
    }
}
