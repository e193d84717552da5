package io.capoa.lab.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs tests that fail on purpose, and reads what they leave. */
@Tag("full")
@ExtendWith(SharedCluster.class)
class FailedTestsTest {

    private static final String SECRET = "c2VjcmV0LXZhbHVl";

    private static volatile TestCluster shared;
    private static volatile Path log;

    @TempDir
    private Path folder;

    private Map<String, Throwable> failures;

    @BeforeEach
    void run(TestCluster cluster) throws IOException {
        shared = cluster;
        log = Files.write(
                folder.resolve("manager.log"),
                IntStream.rangeClosed(1, 300).mapToObj(i -> "line " + i).toList());
        failures = EngineRun.of(OnPurpose.class, folder.resolve("failures"));
    }

    @Test
    void aFailedTest_leavesLogObjectsAndWrites_inTheFolderThatItsMessageNames() throws IOException {
        Path left = folder.resolve("failures/OnPurpose.failsWithEvidence");

        assertThat(failures.get("failsWithEvidence()"))
                .isInstanceOf(AssertionError.class)
                .hasMessageStartingWith("expected on purpose")
                .hasMessageEndingWith("see " + left)
                .cause()
                .hasMessage("expected on purpose");
        assertThat(left.resolve("failure.txt"))
                .content()
                .contains("expected on purpose", "OnPurpose.failsWithEvidence");
        assertThat(Files.readAllLines(left.resolve("manager.log")))
                .hasSize(200)
                .startsWith("line 101")
                .endsWith("line 300");
        assertThat(left.resolve("evidence-a.yaml"))
                .content()
                .contains("kind: \"ClusterDeployment\"", "clusterName: \"on-purpose\"")
                .doesNotContain("managedFields");
        assertThat(Files.readAllLines(left.resolve("evidence-a.writes.tsv")))
                .extracting(line -> line.split("\t")[2] + " " + line.split("\t")[4])
                .contains("create 201");
        assertThat(Files.readAllLines(left.resolve("evidence-a.secrets.txt"))).contains("pull [password]");
    }

    @Test
    void noDataOfASecret_isSaved() throws IOException {
        try (Stream<Path> files = Files.walk(folder.resolve("failures"))) {
            assertThat(files.filter(Files::isRegularFile))
                    .hasSizeGreaterThan(4)
                    .allSatisfy(file -> assertThat(file).content().doesNotContain(SECRET, "secret-value"));
        }
    }

    @Test
    void otherNamespaces_areNotSaved_andEachInvocationHasItsFolder() throws IOException {
        try (Stream<Path> files = Files.walk(folder.resolve("failures"), 2)) {
            assertThat(files.map(file ->
                                    folder.resolve("failures").relativize(file).toString())
                            .filter(file -> file.endsWith(".yaml"))
                            .collect(Collectors.toSet()))
                    .contains("OnPurpose.failsWithEvidence/evidence-a.yaml")
                    .doesNotContain("OnPurpose.failsWithEvidence/evidence-b.yaml");
            assertThat(List.of("1", "2")).allSatisfy(number -> {
                Path left = folder.resolve("failures/OnPurpose.failsEachTime." + number);
                assertThat(left.resolve("manager.log")).exists();
                assertThat(failures.get("[" + number + "]")).hasMessageContaining("see " + left);
            });
        }
    }

    @Test
    void aTestWithoutEvidence_anAbortedOneAndOneThatPasses_leaveNothing() {
        assertThat(failures.get("failsWithoutEvidence()")).hasMessage("nothing to see");
        assertThat(failures).doesNotContainKeys("passes()", "isAborted()");
        assertThat(folder.resolve("failures/OnPurpose.failsWithoutEvidence")).doesNotExist();
        assertThat(folder.resolve("failures/OnPurpose.isAborted")).doesNotExist();
        assertThat(folder.resolve("failures/OnPurpose.passes")).doesNotExist();
    }

    /** Not found by the build, as it is nested. */
    @ExtendWith(FailedTests.class)
    static class OnPurpose {

        private static final Map<String, Boolean> CREATED = new ConcurrentHashMap<>();

        @Test
        void failsWithEvidence() {
            Evidence.log(log);
            Evidence.namespace(shared, namespace("evidence-a"));
            String unused = namespace("evidence-b");
            throw new AssertionError("expected on purpose");
        }

        @ParameterizedTest(name = "[{index}]")
        @ValueSource(strings = {"one", "two"})
        void failsEachTime(String value) {
            Evidence.log(log);
            throw new IllegalStateException(value);
        }

        @Test
        void failsWithoutEvidence() {
            throw new IllegalStateException("nothing to see");
        }

        @Test
        void isAborted() {
            Evidence.log(log);
            abort("on purpose");
        }

        @Test
        void passes() {
            Evidence.log(log);
        }

        private static String namespace(String name) {
            CREATED.computeIfAbsent(name, made -> {
                var client = shared.admin();
                client.resource(new NamespaceBuilder()
                                .withNewMetadata()
                                .withName(name)
                                .endMetadata()
                                .build())
                        .create();
                client.resource(new SecretBuilder()
                                .withNewMetadata()
                                .withName("pull")
                                .withNamespace(name)
                                .endMetadata()
                                .addToData("password", SECRET)
                                .build())
                        .create();
                client.resource(Objects.requireNonNull(
                                Serialization.unmarshal("""
                                apiVersion: hive.openshift.io/v1
                                kind: ClusterDeployment
                                metadata: {name: c, namespace: %s}
                                spec: {clusterName: on-purpose, baseDomain: lab.test, platform: {agentBareMetal: {agentSelector: {}}}}
                                """.formatted(name), GenericKubernetesResource.class)))
                        .create();
                return true;
            });
            return name;
        }
    }
}
