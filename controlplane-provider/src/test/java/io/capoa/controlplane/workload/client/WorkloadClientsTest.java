package io.capoa.controlplane.workload.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** When clients of workload clusters are made and closed. */
class WorkloadClientsTest {

    private final List<String> events = new ArrayList<>();
    private final WorkloadClients clients = new WorkloadClients(this::connect, Duration.ZERO);

    @Test
    void queriesWithOneKubeconfig_shareAClient() {
        try (WorkloadClients.Lease one = clients.lease("a");
                WorkloadClients.Lease other = clients.lease("a")) {
            assertThat(one.client()).isSameAs(other.client());
        }
        clients.lease("a").close();
        assertThat(events).containsOnlyOnce("made a").doesNotContain("closed a");
    }

    @Test
    void theLastQueryUnderWay_isFollowedByRest() {
        WorkloadClients.Lease lease = clients.lease("a");
        clients.lease("a").close();
        assertThat(events).containsExactly("made a");
        lease.close();
        assertThat(events).containsExactly("made a", "rest of a");
    }

    @Test
    void queriesTakeTurns_withARestBetween() {
        WorkloadClients patient = new WorkloadClients(this::connect, Duration.ofMinutes(1));
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int n = 0; n < 3; n++) {
                var unused = threads.submit(() -> {
                    try (WorkloadClients.Lease lease = patient.lease("a")) {
                        events.add("begun");
                        Thread.yield();
                        events.add("ended");
                        return lease;
                    }
                });
            }
        }
        assertThat(events.subList(1, events.size()))
                .containsExactlyElementsOf(Collections.nCopies(3, List.of("begun", "ended", "rest of a")).stream()
                        .flatMap(List::stream)
                        .toList());
    }

    @Test
    void aQueryThatLasts_delaysTheNextForAWhileOnly() {
        try (WorkloadClients.Lease hanging = clients.lease("a");
                WorkloadClients.Lease next = clients.lease("a")) {
            assertThat(next.client()).isSameAs(hanging.client());
        }
        clients.lease("a").close();
        assertThat(events).containsExactly("made a", "rest of a", "rest of a");
    }

    @Test
    void anotherKubeconfig_hasAnotherClient() {
        clients.lease("a").close();
        clients.lease("b").close();
        assertThat(events).contains("made a", "made b");
        assertThat(clients.size()).isEqualTo(2);
    }

    @Test
    void aRetiredClient_isClosedOnce_afterTheQueryUnderWay() {
        WorkloadClients.Lease lease = clients.lease("a");
        clients.retire("a");
        assertThat(events).containsExactly("made a");
        lease.close();
        clients.retire("a");
        assertThat(events).containsExactly("made a", "rest of a", "closed a");
        assertThat(clients.size()).isZero();
    }

    @Test
    void aClientThatIsUsedAgain_staysOpen() {
        WorkloadClients.Lease lease = clients.lease("a");
        clients.retire("a");
        clients.lease("a").close();
        lease.close();
        assertThat(events).doesNotContain("closed a");
    }

    @Test
    void aKubeconfigThatCannotBeUsed_leavesNothing() {
        assertThatThrownBy(() -> clients.lease("bad")).isInstanceOf(IllegalArgumentException.class);
        assertThat(clients.size()).isZero();
    }

    private WorkloadClients.Opened connect(String kubeconfig) {
        if (kubeconfig.equals("bad")) {
            throw new IllegalArgumentException("no server");
        }
        events.add("made " + kubeconfig);
        KubernetesClient client = (KubernetesClient) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {KubernetesClient.class}, (proxy, method, arguments) -> {
                    events.add(method.getName());
                    return null;
                });
        return new WorkloadClients.Opened(
                client,
                () -> events.add("rest of " + kubeconfig),
                now -> ClusterCertificates.UNKNOWN,
                () -> events.add("closed " + kubeconfig));
    }
}
