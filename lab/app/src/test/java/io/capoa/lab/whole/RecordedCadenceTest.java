package io.capoa.lab.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.capoa.api.conditions.Condition;
import io.capoa.api.controlplane.v1beta1.ControlPlaneConditions;
import io.capoa.lab.cluster.AuditEntry;
import io.capoa.lab.cluster.AuditLog;
import io.capoa.lab.cluster.KnownUsers;
import io.capoa.lab.controller.Delays;
import io.capoa.lab.provider.Provider;
import io.capoa.lab.recorded.Recording;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Three control planes are installed at the pace of a real assisted-service: its states come in the recorded order, and
 * the providers write little. The suite, which installs before its tests, as a whole runs beside others, but not while one
 * kills the providers.
 */
@Tag("full")
@Tag("whole")
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(value = WholeLab.PARTS, mode = ResourceAccessMode.READ)
@ExtendWith(WholeLab.Shared.class)
@TestInstance(Lifecycle.PER_CLASS)
class RecordedCadenceTest {

    private static final String JOINED_LATER = "added-to-existing-cluster";
    private static final int MACHINES = 3;
    private static final int WRITES = 42;
    private static final long CONFIG_STATUSES = 3;
    private static final long CONTROL_PLANE_STATUSES = 6;

    /** For how long a state must last before its status is written, while there is no bootstrap data, and thereafter. */
    private static final Duration PASSING = Duration.ofSeconds(3);

    private static final Duration PROGRESS = Duration.ofSeconds(20);

    /** From the Agent of a host until its approval, at most, if the state between is to pass unseen. */
    private static final Duration APPROVAL = Duration.ofSeconds(1);

    /** Longer than the last status is held back. */
    private static final Duration REST = Duration.ofSeconds(3);

    /** Three control planes and two workers, of which one joined later. */
    private static final Recording MULTINODE = Recording.load("real-all-3cp-2workers-day2.log");

    private static final List<Recording> RECORDINGS = Stream.of(
                    "real-single-node.log",
                    "real-all-3cp-2workers-day2.log",
                    "real-edits-during-installation.log",
                    "real-failed-host-and-retry.log")
            .map(Recording::load)
            .toList();

    private final WholeLab lab;
    private final String namespace;
    private List<AuditEntry> log = List.of();

    RecordedCadenceTest(WholeLab lab) {
        this.lab = lab;
        this.namespace = lab.namespace(3, Delays.recorded());
    }

    @BeforeAll
    void install() {
        AuditLog.Mark start = lab.audit().mark();
        lab.apply(namespace, WholeLab::withoutWorkers);
        lab.awaitReady(namespace);
        await().atMost(WholeLab.SOON)
                .until(() -> lab.condition(namespace, ControlPlaneConditions.INSTALL_SUCCEEDING)
                        .map(Condition::reason)
                        .filter(ControlPlaneConditions.INSTALL_COMPLETED::equals)
                        .isPresent());
        lab.awaitRest(namespace, REST);
        log = lab.audit().since(start).stream()
                .filter(entry -> entry.isWrite() && entry.concerns(namespace))
                .toList();
    }

    /**
     * The recorder polled, so that it missed states of each object: the lab's objects go through all that were recorded of
     * one installation, and any others have been recorded in that order of other installations.
     */
    @ParameterizedTest
    @CsvSource({
        "ACI, agentclusterinstalls, state",
        "ACI, agentclusterinstalls, Validated",
        "ACI, agentclusterinstalls, RequirementsMet",
        "ACI, agentclusterinstalls, Completed",
        "ACI, agentclusterinstalls, Stopped",
        "Agent, agents, state",
        "Agent, agents, Validated",
        "Agent, agents, RequirementsMet",
        "Agent, agents, Installed",
        "Agent, agents, Bound"
    })
    void theService_goesThroughTheRecordedStates_inTheRecordedOrder(String kind, String resource, String key) {
        List<List<String>> all = RECORDINGS.stream()
                .flatMap(recording -> recording.courses(kind, key).values().stream())
                .toList();

        assertThat(courses(resource, key)).isNotEmpty().allSatisfy((name, course) -> {
            assertThat(MULTINODE.courses(kind, key).values())
                    .filteredOn(seen -> !seen.contains(JOINED_LATER))
                    .isNotEmpty()
                    .allSatisfy(seen -> assertThat(course).containsSubsequence(seen));
            for (int i = 1; i < course.size(); i++) {
                List<String> step = course.subList(i - 1, i + 1);
                assertThat(all)
                        .as("recordings of %s", step)
                        .anySatisfy(seen -> assertThat(seen).containsSubsequence(step));
            }
        });
    }

    /** A recording of one installed host shows every state of the service's hosts. */
    @Test
    void everyHost_goesThroughEveryState() {
        List<String> longest = RECORDINGS.stream()
                .flatMap(recording -> recording.courses("Agent", "state").values().stream())
                .filter(course -> course.getLast().equals("installed"))
                .max(Comparator.comparingInt(List::size))
                .orElseThrow();

        assertThat(courses("agents", "state"))
                .hasSize(3)
                .allSatisfy((name, course) -> assertThat(course).isEqualTo(longest));
    }

    /** On a starved machine the states last longer than at the recorded pace, and further statuses are due. */
    @Test
    void anInstallation_costsFewWrites() {
        assertThat(writes()).isNotEmpty().allMatch(AuditEntry::succeeded);
        long late = 0;
        for (List<AuditEntry> config : statuses("openshiftassistedconfigs", 3)) {
            Duration data = Duration.between(
                    log.stream()
                            .filter(entry -> entry.resource().equals("openshiftassistedconfigs")
                                    && entry.verb().equals("create")
                                    && entry.name().equals(config.getFirst().name()))
                            .findFirst()
                            .orElseThrow()
                            .time(),
                    first(config, status -> status.has("dataSecretName")));
            Duration installation = Duration.between(
                    first(config, status -> LastingStatuses.isTrue(status, "AgentRegistered")),
                    first(config, status -> LastingStatuses.isTrue(status, "Ready")));
            long more = data.dividedBy(PASSING) + installation.dividedBy(PROGRESS) + (isApprovedLate() ? 1 : 0);
            assertThat(config)
                    .as("data after %s, installed in %s", data, installation)
                    .hasSizeLessThanOrEqualTo((int) (CONFIG_STATUSES + more));
            late += more;
        }
        List<AuditEntry> controlPlane =
                statuses("openshiftassistedcontrolplanes", 1).iterator().next();
        long more = Duration.between(
                        controlPlane.getFirst().received(), first(controlPlane, status -> status.has("initialization")))
                .dividedBy(PROGRESS);
        more += passing(controlPlane);
        assertThat(controlPlane).hasSizeLessThanOrEqualTo((int) (CONTROL_PLANE_STATUSES + more));
        assertThat(writes()).hasSizeLessThanOrEqualTo((int) (WRITES + late + more));
    }

    private boolean isApprovedLate() {
        Map<String, Instant> created =
                firstWrites("agents", entry -> entry.verb().equals("create"));
        Map<String, Instant> approved =
                firstWrites("agents", entry -> entry.user().equals(Provider.BOOTSTRAP.user()));
        assertThat(approved).hasSize(MACHINES).containsOnlyKeys(created.keySet());
        return approved.entrySet().stream()
                .anyMatch(agent -> agent.getValue()
                        .isAfter(Objects.requireNonNull(created.get(agent.getKey()))
                                .plus(APPROVAL)));
    }

    /** When each object of a resource was first written so, by name. */
    private Map<String, Instant> firstWrites(String resource, Predicate<AuditEntry> so) {
        return log.stream()
                .filter(entry ->
                        entry.resource().equals(resource) && entry.subresource().isEmpty() && so.test(entry))
                .collect(Collectors.toMap(AuditEntry::name, AuditEntry::received, (first, later) -> first));
    }

    /**
     * Statuses of states that are passed through unseen unless they last: one while the release is being resolved, and one
     * for each number of machines that are ready before the others.
     */
    private long passing(List<AuditEntry> controlPlane) {
        Instant objects = log.stream()
                .filter(entry -> entry.resource().equals("clusterdeployments"))
                .findFirst()
                .orElseThrow()
                .received();
        boolean resolving = controlPlane.getFirst().received().isBefore(objects);
        long partly = controlPlane.stream()
                .mapToInt(entry -> entry.object().at("/status/readyReplicas").asInt())
                .filter(ready -> ready > 0 && ready < MACHINES)
                .distinct()
                .count();
        return partly + (resolving ? 1 : 0);
    }

    private List<AuditEntry> writes() {
        Set<String> users = Set.of(Provider.BOOTSTRAP.user(), Provider.CONTROL_PLANE.user());
        return log.stream().filter(entry -> users.contains(entry.user())).toList();
    }

    /** Statuses of each of so many objects, as written. */
    private Collection<List<AuditEntry>> statuses(String resource, int objects) {
        Collection<List<AuditEntry>> statuses = writes().stream()
                .filter(entry ->
                        entry.subresource().equals("status") && entry.resource().equals(resource))
                .collect(Collectors.groupingBy(AuditEntry::name))
                .values();
        assertThat(statuses).hasSize(objects);
        return statuses;
    }

    private static Instant first(List<AuditEntry> statuses, Predicate<JsonNode> of) {
        return statuses.stream()
                .filter(entry -> of.test(entry.object().path("status")))
                .findFirst()
                .orElseThrow()
                .received();
    }

    private Map<String, List<String>> courses(String resource, String key) {
        Map<String, List<String>> courses = new TreeMap<>();
        serviceStatuses(resource).forEach(entry -> {
            List<String> course = courses.computeIfAbsent(entry.name(), name -> new ArrayList<>());
            String now = value(entry.object().path("status"), key);
            if (!now.isEmpty() && (course.isEmpty() || !course.getLast().equals(now))) {
                course.add(now);
            }
        });
        return courses;
    }

    private Stream<AuditEntry> serviceStatuses(String resource) {
        String service = lab.cluster().userName(KnownUsers.ASSISTED_SERVICE);
        return log.stream()
                .filter(entry -> entry.resource().equals(resource)
                        && entry.subresource().equals("status")
                        && entry.user().equals(service));
    }

    private static String value(JsonNode status, String key) {
        if (key.equals("state")) {
            return status.path("debugInfo").path("state").asText();
        }
        JsonNode condition = LastingStatuses.condition(status, key);
        return condition.isMissingNode()
                ? ""
                : condition.path("status").asText() + "/"
                        + condition.path("reason").asText();
    }
}
