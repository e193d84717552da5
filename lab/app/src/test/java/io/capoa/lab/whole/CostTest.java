package io.capoa.lab.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.capoa.lab.cluster.AuditEntry;
import io.capoa.lab.cluster.AuditLog;
import io.capoa.lab.cluster.WriteEffects;
import io.capoa.lab.provider.Provider;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Cost of a cluster of three: writes and avoidable delays. */
@Tag("whole")
@ExtendWith(WholeLab.Shared.class)
class CostTest {

    private static final int CLUSTERS = 3;
    /** Maximum writes of both providers for three control planes; the minimum is about 33. */
    private static final int MOST_WRITES = 42;
    /** Maximum writes of the control-plane provider; one is the first health of the installed cluster. */
    private static final int MOST_WRITES_OF_CONTROL_PLANE = 24;
    /** Maximum median reaction time of a cluster's waits on an idle machine. */
    private static final Duration PROMPT = Duration.ofMillis(250);
    /** Maximum median reaction time of all waits; a stall takes seconds. */
    private static final Duration NO_STALL = Duration.ofMillis(500);
    /** Both limits if Machines become ready one after the other: their status is debounced for half a second. */
    private static final Duration GATHERED = Duration.ofMillis(750);

    @Test
    void everyWaitEndsWithItsCause_andNoWriteIsIdle(WholeLab lab) {
        assumeTrue(lab.cluster().auditLog().isPresent(), "this kind of cluster keeps no audit log that tests can read");
        AuditLog audit = lab.cluster().auditLog().orElseThrow();
        AuditLog.Mark begin = audit.mark();
        SortedMap<String, List<Duration>> medians = new TreeMap<>();
        Set<String> namespaces = new HashSet<>();
        for (int i = 0; i < CLUSTERS; i++) {
            String namespace = lab.namespace(3);
            String version = "4.20.4" + i;
            lab.apply(namespace, sample -> WholeLab.withoutWorkers(sample).replace("4.20.3", version));
            lab.awaitReady(namespace);
            Instant answer = lab.peers().registry().requests().latest();
            namespaces.add(namespace);
            SortedMap<String, List<Duration>> waits = Waits.of(audit.since(begin), Set.of(namespace));
            assertThat(waits).hasSize(Waits.names());
            waits.put("release answered", List.of(Waits.release(audit.since(begin), answer, namespace)));
            waits.forEach((wait, durations) ->
                    medians.computeIfAbsent(wait, w -> new ArrayList<>()).add(Waits.median(durations)));
        }

        System.out.println("Milliseconds from cause to effect, median of each cluster: " + inMillis(medians));
        assertThat(medians).allSatisfy((wait, each) -> {
            boolean gathered = wait.equals(Waits.MACHINE_READY);
            assertThat(Waits.median(each)).as(wait).isLessThan(gathered ? GATHERED : NO_STALL);
            assertThat(Collections.min(each)).as(wait).isLessThan(gathered ? GATHERED : PROMPT);
        });

        for (String namespace : namespaces) {
            assertCheap(audit.since(audit.start()), namespace);
        }
    }

    private static Map<String, List<Long>> inMillis(SortedMap<String, List<Duration>> durations) {
        return durations.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey,
                        wait -> wait.getValue().stream().map(Duration::toMillis).toList(),
                        (one, other) -> one,
                        TreeMap::new));
    }

    private static void assertCheap(List<AuditEntry> log, String namespace) {
        Set<String> providers = Set.of(Provider.BOOTSTRAP.user(), Provider.CONTROL_PLANE.user());
        List<AuditEntry> writes = log.stream()
                .filter(entry -> entry.isWrite() && providers.contains(entry.user()))
                .filter(entry ->
                        entry.namespace().equals(namespace) || entry.name().startsWith(namespace + "-"))
                .toList();
        Map<String, Long> kinds = writes.stream()
                .collect(Collectors.groupingBy(
                        entry -> entry.user() + " " + entry.resource() + "/" + entry.subresource(),
                        TreeMap::new,
                        Collectors.counting()));
        System.out.println("Writes for a cluster of three: " + writes.size() + " " + kinds);
        assertThat(writes.size()).as("%s", kinds).isLessThanOrEqualTo(MOST_WRITES);
        assertThat(writes.stream().filter(write -> write.user().equals(Provider.CONTROL_PLANE.user())))
                .extracting(write -> write.resource() + "/" + write.subresource() + " " + write.name())
                .hasSizeLessThanOrEqualTo(MOST_WRITES_OF_CONTROL_PLANE);
        assertThat(writes.stream().map(AuditEntry::code)).allMatch(code -> code < 300);
        assertThat(WriteEffects.without(log)).filteredOn(writes::contains).isEmpty();
    }

    @Test
    void infrastructureThatComesLate_costsWhatItTakes(WholeLab lab) throws InterruptedException {
        Duration late = Duration.ofSeconds(2);
        String prompt = lab.namespace(3);
        long begin = System.nanoTime();
        lab.apply(prompt, WholeLab::withoutWorkers);
        lab.awaitReady(prompt);
        Duration usual = Duration.ofNanos(System.nanoTime() - begin);

        String delayed = lab.namespace(3);
        begin = System.nanoTime();
        lab.apply(
                delayed,
                sample -> WholeLab.withoutWorkers(sample)
                        .replace(
                                "kind: Metal3Cluster\nmetadata:\n  name: multinode",
                                "kind: Metal3Cluster\n"
                                        + "metadata:\n"
                                        + "  name: multinode\n"
                                        + "  annotations: {cluster.x-k8s.io/paused: ''}"));
        Thread.sleep(late);
        lab.unpause(delayed, "Metal3Cluster");
        lab.awaitReady(delayed);
        Duration took = Duration.ofNanos(System.nanoTime() - begin);

        System.out.printf("Infrastructure 2 s late: %d ms instead of %d ms%n", took.toMillis(), usual.toMillis());
        assertThat(took).isLessThan(usual.multipliedBy(2).plus(late).plusSeconds(2));
    }
}
