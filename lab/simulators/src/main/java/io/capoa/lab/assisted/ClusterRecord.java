package io.capoa.lab.assisted;

import io.capoa.lab.controller.Key;
import io.capoa.lab.workload.Workload;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A cluster in the service's database; used by one thread at a time, except for volatile fields. */
final class ClusterRecord {

    final Key key;
    final String installUid;
    final String id;
    final String openshiftId;
    final Published published = new Published();

    volatile ClusterState state = ClusterState.INSUFFICIENT;
    volatile @Nullable Workload workload;
    Instant entered = Instant.now();
    String eventsUrl = "";
    volatile boolean accepted;
    boolean releaseUnreadable;

    /** Time of the first validation; {@code null} before. */
    @Nullable
    Instant looked;

    /** Time when the first host was discovered; {@code null} before. */
    @Nullable
    Instant hostKnown;

    /** Start of the latest validation whose results changed only with the hosts; {@code null} before. */
    volatile @Nullable Instant settled;

    /** Minor version of the release that the cluster is installed with; the service notices no upgrade. */
    volatile String minor = "";

    /** Name of the cluster and its base domain, such as {@code prod.example.com}; empty until the spec was accepted. */
    volatile String domain = "";

    /** Whether load balancers and DNS are the user's. */
    volatile boolean userManaged;

    private String platform = "";
    private volatile boolean externalCloudProvider;

    Map<String, Object> frozen = Map.of();
    Requirements requirements = new Requirements(0, 0);

    /** @param installUid UID of the AgentClusterInstall, from which the cluster's id is derived */
    ClusterRecord(Key key, String installUid) {
        this.key = key;
        this.installUid = installUid;
        this.id = UUID.nameUUIDFromBytes(installUid.getBytes(StandardCharsets.UTF_8))
                .toString();
        this.openshiftId = UUID.nameUUIDFromBytes(("openshift-" + installUid).getBytes(StandardCharsets.UTF_8))
                .toString();
    }

    /**
     * Takes over the platform. The service applies its settings together with a new type alone: a later change of the
     * cloud controller manager has no effect.
     */
    void platform(String type, boolean withExternalCloudProvider) {
        if (!platform.equals(type)) {
            platform = type;
            externalCloudProvider = withExternalCloudProvider;
        }
    }

    /** Whether the kubelets of the cluster run with an external cloud provider. */
    boolean hasExternalCloudProvider() {
        return externalCloudProvider;
    }

    void enter(ClusterState next) {
        state = next;
        entered = Instant.now();
    }

    /** The rest of the duration of the current state; zero when it is over. */
    Duration left(Duration takes) {
        Duration left = takes.minus(Duration.between(entered, Instant.now()));
        return left.isNegative() ? Duration.ZERO : left;
    }
}
