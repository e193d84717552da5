package io.capoa.controlplane.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.Metal3Machine;
import io.capoa.controlplane.plan.PlanFinding.Subject;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HostMatchingTest {

    private static final HostPool ANY = pool("any", 2);
    private static final HostPool FIRST = pool("first", 1);

    @Test
    void aPoolThatTakesAnyHost_leavesTheOneThatAnotherNeeds() {
        HostMatching matching = matching(3);

        assertThat(matching.hosts(ANY)).isEqualTo(2);
        assertThat(matching.hosts(FIRST)).isEqualTo(1);
        assertThat(matching.spare(ANY, 1)).isZero();
    }

    @Test
    void whatIsLeft_isSpare_forThePoolThatCanTakeIt() {
        HostMatching matching = matching(5);

        assertThat(matching.spare(ANY, 3)).isEqualTo(2);
        assertThat(matching.spare(FIRST, 1)).isZero();
    }

    @Test
    void aShortage_isCountedOnce() {
        HostMatching matching = matching(2);

        assertThat(matching.hosts(ANY) + matching.hosts(FIRST)).isEqualTo(2);
    }

    /** How often a host is compared with a pool. */
    @Test
    void theWork_growsWithTheHosts_notWithTheirSquare() {
        assertThat(testsOf(1_000, 990)).isLessThanOrEqualTo(2 * 1_000);
        // Too few hosts: the Machines behind the first one that finds none are not tried.
        assertThat(testsOf(1_000, 1_000_000)).isLessThanOrEqualTo(4 * 1_000);
    }

    private static long testsOf(int count, int replicas) {
        LongAdder tests = new LongAdder();
        List<HostPool> pools = List.of(pool("masters", 3), pool("workers", replicas));
        HostMatching matching = HostMatching.of(pools, hosts(count), (pool, host) -> {
            tests.increment();
            return true;
        });
        assertThat(matching.hosts(pools.getLast())).isEqualTo(Math.min(replicas, count - 3));
        return tests.sum();
    }

    private static HostMatching matching(int count) {
        List<InspectedHost> hosts = hosts(count);
        return HostMatching.of(List.of(ANY, FIRST), hosts, (pool, host) -> pool == ANY || host == hosts.getFirst());
    }

    private static List<InspectedHost> hosts(int count) {
        return IntStream.range(0, count).mapToObj(HostMatchingTest::host).toList();
    }

    private static InspectedHost host(int number) {
        BareMetalHost host = new BareMetalHost();
        host.setMetadata(new ObjectMetaBuilder().withName("host-" + number).build());
        return new InspectedHost(host, null);
    }

    private static HostPool pool(String name, int replicas) {
        Subject owner = new Subject("MachineDeployment", "default", name);
        return new HostPool(HostRole.WORKER, owner, replicas, 1, null, owner, "spec", owner, new Metal3Machine());
    }
}
