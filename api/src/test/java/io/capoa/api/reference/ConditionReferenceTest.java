package io.capoa.api.reference;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.conditions.FailureReasons;
import io.capoa.api.reference.ConditionTexts.Reason;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code docs/conditions.md} has a text for each constant; {@code -Dcapoa.golden=write} rewrites it. */
class ConditionReferenceTest {

    private static final Pattern NAME = Pattern.compile("`([A-Z][a-z]+(?:[A-Z][A-Za-z]*)+)`");

    /** Names of other APIs in the guides. */
    private static final Set<String> OTHERS = Set.of(
            "CrashLoopBackOff",
            "LeaderElection",
            "InPlaceUpdates",
            "MachineAPI",
            "OnDelete",
            "RemoteConnectionProbe",
            "RollingUpdate",
            "RuntimeSDK",
            "TopologyReconciled");

    private static final String LIFECYCLE_HOOK = "(Before|After)[A-Z].*";

    private final GoldenPage golden =
            new GoldenPage("conditions.md", ConditionReference.of(kinds()), ConditionReferenceTest.class);

    static List<ConditionTexts> kinds() {
        return ConditionTexts.all();
    }

    @Test
    void theCommittedReferenceIsTheGeneratedOne() throws IOException {
        golden.assertCommitted();
    }

    @Test
    void linksAnchorsAndTablesAreInOrder() throws IOException {
        golden.assertLinksHaveTargets();
        golden.assertAnchorsAreUnique();
        golden.assertTablesAreEven();
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void everyConstantHasATextAndEveryTextAConstant(ConditionTexts kind) throws ReflectiveOperationException {
        Class<?> constants = Class.forName(kind.constants());
        Set<String> names = values(constants);
        if (constants != FailureReasons.class) {
            // Those that have another name here are described once.
            names.removeAll(values(FailureReasons.class));
        }

        assertThat(kind.names()).containsExactlyInAnyOrderElementsOf(names);
    }

    @Test
    void everyClassOfConditionsOrReasonsIsInTheReference() throws IOException {
        Path classes = Path.of("target", "classes");
        try (Stream<Path> files = Files.walk(classes)) {
            Set<String> found = files.map(file -> classes.relativize(file).toString())
                    .filter(file -> file.matches(".*(Conditions|Reasons)\\.class"))
                    .map(file -> file.replaceFirst("\\.class$", "").replace('/', '.'))
                    .filter(ConditionReferenceTest::isPublic)
                    .collect(Collectors.toCollection(TreeSet::new));

            assertThat(kinds().stream().map(ConditionTexts::constants)).containsExactlyInAnyOrderElementsOf(found);
        }
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void aReasonIsOfConditionsAndStatusesThatAreDescribed(ConditionTexts kind) {
        kind.reasons().forEach((name, reason) -> {
            assertThat(reason.on().isEmpty())
                    .as("conditions of %s", name)
                    .isEqualTo(kind.conditions().isEmpty());
            assertThat(reason.on()).as(name).doesNotHaveDuplicates().allSatisfy(condition -> {
                String[] parts = condition.split("=", -1);
                assertThat(kind.conditions()).containsKey(parts[0]);
                assertThat(kind.conditions().get(parts[0]).meaning(parts[1])).isPresent();
            });
        });
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void aReasonHasCauseAndRemedyUnlessItNeedsNothing(ConditionTexts kind) {
        kind.reasons().forEach((name, reason) -> {
            assertThat(reason.cause() == null).as("cause of %s", name).isEqualTo(reason.normal());
            assertThat(reason.remedy() == null).as("remedy of %s", name).isEqualTo(reason.normal());
            assertThat(reason.event()).as("Event of %s", name).isIn(null, "Normal", "Warning");
            assertThat(sentences(reason))
                    .as(name)
                    .allMatch(text -> text.matches("(?s)([A-Z`]|(assisted-service|etcd)\\b).*\\."));
        });
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void theHealthyStatusOfAConditionIsDescribed(ConditionTexts kind) {
        kind.conditions()
                .forEach((name, type) -> assertThat(type.good())
                        .as(name)
                        .satisfiesAnyOf(
                                good -> assertThat(good).isEqualTo("absent"),
                                good -> assertThat(type.meaning(good)).isPresent()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"troubleshooting.md", "health.md", "repair.md", "upgrade.md"})
    void aGuideNamesConditionsAndReasonsThatExist_andItsLinksHaveTargets(String guide) throws IOException {
        String text = Files.readString(Path.of("..", "docs", guide));
        Set<String> known = kinds().stream().flatMap(ConditionTexts::names).collect(Collectors.toSet());

        assertThat(NAME.matcher(text).results().map(name -> name.group(1)).distinct())
                .isNotEmpty()
                .allMatch(name -> known.contains(name) || OTHERS.contains(name) || name.matches(LIFECYCLE_HOOK));
        new GoldenPage(guide, text, getClass()).assertLinksHaveTargets();
    }

    private static List<String> sentences(Reason reason) {
        return Stream.of(reason.meaning(), reason.cause(), reason.remedy())
                .flatMap(Stream::ofNullable)
                .toList();
    }

    private static boolean isPublic(String name) {
        try {
            return Modifier.isPublic(Class.forName(name).getModifiers());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Set<String> values(Class<?> constants) {
        return Arrays.stream(constants.getFields())
                .map(ConditionReferenceTest::value)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String value(Field constant) {
        try {
            return (String) constant.get(null);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
    }
}
