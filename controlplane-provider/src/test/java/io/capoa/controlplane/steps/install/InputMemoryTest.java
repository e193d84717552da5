package io.capoa.controlplane.steps.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.capoa.api.conditions.Condition;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.controlplane.mirror.MirrorRegistry;
import io.capoa.controlplane.observe.ControlPlaneObservations;
import io.capoa.controlplane.steps.install.InputMemory.Next;
import io.capoa.controlplane.testing.LinterManifests;
import io.capoa.controlplane.testing.Objects;
import io.capoa.lint.ManifestLint;
import io.capoa.runtime.status.Blocker;
import io.capoa.runtime.status.ReportedConditions;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is remembered of inputs when the manager starts again: each manager of these tests knows the conditions alone. */
class InputMemoryTest {

    private static final String INVALID = "CloudControllerManagerManifestsInvalid";
    private static final String CHECKING = "CheckingManifests";
    private static final String BLOCKING = "broken/uninitialized-not-tolerated";

    private final ControlPlaneIdentity identity = Objects.identity(
            "{}",
            "platform: {type: External, cloudControllerManager: External}, manifestsConfigMapRefs: [{name: ccm}]");
    private final OpenshiftAssistedControlPlane controlPlane = identity.controlPlane();
    private final AtomicInteger parsed = new AtomicInteger();
    private final Map<String, ConfigMap> maps = new HashMap<>();

    /** A manager that has just been started; the linter counts what it parses. */
    private final class Restarted {

        private final InputsStep step;

        Restarted(String version) {
            this(version, ManifestLint::of);
        }

        Restarted(String version, CloudControllerManagerCheck.Linter linter) {
            InputMemory memory = new InputMemory(version);
            this.step = new InputsStep(
                    (namespace, name) -> maps.get(name),
                    new CloudControllerManagerCheck((about, event) -> {}, memory, (files, singleNode) -> {
                        parsed.incrementAndGet();
                        return linter.of(files, singleNode);
                    }),
                    memory,
                    map -> {
                        parsed.incrementAndGet();
                        return MirrorRegistry.read(map);
                    });
        }

        /** Reconciles once and writes the status, as the reconciler does. */
        @Nullable
        Blocker reconcile() {
            return reconcile("InstallSucceeding");
        }

        @Nullable
        Blocker reconcile(String condition) {
            InputsStep.Problem problem =
                    step.read(ControlPlaneObservations.of(identity, null, null)).problem();
            report(
                    condition,
                    problem == null ? new Blocker("WaitingForHosts", "") : problem.blocker(),
                    problem == null ? "True" : "False");
            return problem == null ? null : problem.blocker();
        }
    }

    @Test
    void whatWasRefused_isNotParsedAgain() throws IOException {
        manifests("1", LinterManifests.read(BLOCKING));
        Blocker first = new Restarted("v1").reconcile();
        assertThat(first).isNotNull().extracting(Blocker::reason).isEqualTo(INVALID);
        assertThat(parsed).hasValue(1);

        Restarted second = new Restarted("v1");
        assertThat(second.reconcile()).isEqualTo(first);
        // A label of the ConfigMap, for example.
        manifests("2", LinterManifests.read(BLOCKING));
        assertThat(second.reconcile()).isEqualTo(first);
        assertThat(new Restarted("v1").reconcile()).isEqualTo(first);
        assertThat(parsed).hasValue(1);
    }

    @Test
    void anotherContent_anotherAcceptance_andAnotherManager_areParsed() throws IOException {
        manifests("1", LinterManifests.read(BLOCKING));
        Blocker refused = new Restarted("v1").reconcile();
        assertThat(refused).isNotNull();

        assertThat(new Restarted("v2").reconcile()).isNotNull().isNotEqualTo(refused);
        assertThat(parsed).hasValue(2);

        manifests("2", LinterManifests.read(BLOCKING) + "\n");
        assertThat(new Restarted("v2").reconcile()).isNotNull();
        assertThat(parsed).hasValue(3);

        Matcher annotation =
                Pattern.compile("annotate the control plane with (\\S+)=").matcher(refused.message());
        assertThat(annotation.find()).isTrue();
        controlPlane.getMetadata().setAnnotations(Map.of(annotation.group(1), "it is tolerated"));
        assertThat(new Restarted("v2").reconcile()).isNull();
        assertThat(parsed).hasValue(4);
    }

    @Test
    void aConditionThatRefusesNoLonger_isNoMemory() throws IOException {
        manifests("1", LinterManifests.read(BLOCKING));
        Blocker refused = new Restarted("v1").reconcile();
        report("InstallSucceeding", new Blocker("RetryingInstall", "deleted"), "False");

        assertThat(new Restarted("v1").reconcile()).isEqualTo(refused);
        assertThat(parsed).hasValue(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"InstallSucceeding", "ReleaseResolved", "UpgradeAvailable"})
    void mirrorsThatCannotBeUsed_areNotParsedAgain(String condition) {
        ControlPlaneIdentity mirrored = Objects.identity("{}", "imageRegistryRef: {name: mirrors}");
        controlPlane.setSpec(mirrored.controlPlane().getSpec());
        maps.put("mirrors", map("mirrors", "1", "registries.conf", "a = ["));
        Blocker first = new Restarted("v1").reconcile(condition);
        assertThat(first)
                .isNotNull()
                .satisfies(blocker -> assertThat(blocker.message())
                        .contains("is not TOML")
                        .containsPattern(" \\(input [a-z0-9]{10}\\)$"));

        assertThat(new Restarted("v1").reconcile(condition)).isEqualTo(first);
        assertThat(parsed).hasValue(1);

        maps.put("mirrors", map("mirrors", "1", "registries.conf", "b = ["));
        assertThat(new Restarted("v1").reconcile(condition)).isNotEqualTo(first);
        assertThat(parsed).hasValue(2);
    }

    @Test
    void aLongInput_isAnnounced_andThenParsedOnce() throws IOException {
        manifests("1", longer(LinterManifests.read("good/aws")));
        Restarted manager = new Restarted("v1");

        assertThat(manager.reconcile()).satisfies(blocker -> {
            assertThat(blocker.reason()).isEqualTo(CHECKING);
            assertThat(blocker.message())
                    .matches("the manifests of spec.config.manifestsConfigMapRefs are being checked"
                            + " \\(input [a-z0-9]{10}, attempt 1\\)");
        });
        assertThat(parsed).hasValue(0);
        assertThat(manager.reconcile()).isNull();
        assertThat(manager.reconcile()).isNull();
        assertThat(parsed).hasValue(1);
    }

    /** The status of the announcement is not written, or not seen yet. */
    @Test
    void untilTheAnnouncementIsStored_nothingIsParsed() throws IOException {
        manifests("1", longer(LinterManifests.read("good/aws")));
        Restarted manager = new Restarted("v1");
        Blocker announced = manager.reconcile();
        controlPlane.setStatus(null);

        assertThat(manager.reconcile()).isEqualTo(announced);
        assertThat(parsed).hasValue(0);
        assertThat(manager.reconcile()).isNull();
    }

    @Test
    void anInputThatEndsTheManager_isParsedThreeTimes_andThenRefused_untilItChanges() throws IOException {
        String text = longer(LinterManifests.read("good/aws"));
        manifests("1", text);
        for (int attempt = 1; attempt <= 3; attempt++) {
            Restarted manager = new Restarted("v1", (files, singleNode) -> {
                throw new Killed();
            });
            assertThat(manager.reconcile())
                    .isNotNull()
                    .extracting(Blocker::message)
                    .asString()
                    .endsWith(", attempt " + attempt + ")");
            assertThatThrownBy(manager::reconcile).isInstanceOf(Killed.class);
        }
        assertThat(parsed).hasValue(3);

        Blocker refused = new Restarted("v1").reconcile();
        assertThat(refused).isNotNull().satisfies(blocker -> {
            assertThat(blocker.reason()).isEqualTo(INVALID);
            assertThat(blocker.message())
                    .startsWith("the manager ended or failed 3 times while it checked the manifests of"
                            + " spec.config.manifestsConfigMapRefs: remove what the installation does not need")
                    .containsPattern(" \\(input [a-z0-9]{10}\\)$");
        });
        assertThat(new Restarted("v1").reconcile()).isEqualTo(refused);
        assertThat(parsed).hasValue(3);

        manifests("2", text + "#");
        Restarted next = new Restarted("v1");
        assertThat(next.reconcile()).isNotNull().extracting(Blocker::reason).isEqualTo(CHECKING);
        assertThat(next.reconcile()).isNull();
        assertThat(parsed).hasValue(4);
    }

    /** Without an end of the process: the framework retries. */
    @Test
    void aParserThatFails_isCalledThreeTimes() throws IOException {
        manifests("1", longer(LinterManifests.read("good/aws")));
        Restarted manager = new Restarted("v1", (files, singleNode) -> {
            throw new Killed();
        });
        for (int attempt = 1; attempt <= 3; attempt++) {
            assertThat(manager.reconcile()).isNotNull();
            assertThatThrownBy(manager::reconcile).isInstanceOf(Killed.class);
        }

        assertThat(manager.reconcile()).isNotNull().extracting(Blocker::reason).isEqualTo(INVALID);
        assertThat(manager.reconcile()).isNotNull().extracting(Blocker::reason).isEqualTo(INVALID);
        assertThat(parsed).hasValue(3);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "none", textBlock = """
            none                       | 65536 | 0 | Parse[]
            none                       | 65537 | 0 | Announce[attempt=1]
            none                       | 65537 | 2 | Announce[attempt=2]
            m (input abc, attempt 1)   | 65537 | 1 | Parse[]
            m (input abc, attempt 1)   | 65537 | 0 | Announce[attempt=2]
            m (input abc, attempt 1)   | 65536 | 0 | Parse[]
            m (input abc, attempt 3)   | 65537 | 3 | Parse[]
            m (input abc, attempt 3)   | 65537 | 0 | GiveUp[]
            m (input abd, attempt 3)   | 65537 | 0 | Announce[attempt=1]
            m (input abc)              | 1     | 0 | Refused[message=m (input abc)]
            m (input abc)              | 65537 | 0 | Refused[message=m (input abc)]
            m (input abd)              | 1     | 0 | Parse[]
            m (input abc) and more     | 1     | 0 | Parse[]
            """)
    void theDecision(@Nullable String message, long length, int here, String next) {
        ReportedConditions reported = new ReportedConditions(
                message == null ? List.of() : List.of(condition("InstallSucceeding", "any", "False", message)));

        assertThat(InputMemory.decide(reported, "abc", length, here))
                .isInstanceOf(Next.class)
                .hasToString(next);
    }

    @Test
    void theDigest_coversTheVersionAndTheBordersOfTheParts() {
        InputMemory memory = new InputMemory("v1");

        assertThat(memory.digest(List.of("ab", "c")))
                .isEqualTo(new InputMemory("v1").digest(List.of("ab", "c")))
                .isNotEqualTo(memory.digest(List.of("a", "bc")))
                .isNotEqualTo(new InputMemory("v2").digest(List.of("ab", "c")));
    }

    private static final class Killed extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private void report(String type, Blocker blocker, String status) {
        controlPlane.setStatus(Objects.status(condition(type, blocker.reason(), status, blocker.message())));
    }

    private static Condition condition(String type, String reason, String status, String message) {
        return new Condition(type, status, reason, message, "2026-01-01T00:00:00Z", 1L);
    }

    private void manifests(String version, String text) {
        maps.put("ccm", map("ccm", version, "ccm.yaml", text));
    }

    private static String longer(String text) {
        return text + "\n" + "#".repeat(100_000);
    }

    private static ConfigMap map(String name, String version, String key, String text) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withName(name)
                .withUid("uid")
                .withResourceVersion(version)
                .endMetadata()
                .addToData(key, text)
                .build();
    }
}
