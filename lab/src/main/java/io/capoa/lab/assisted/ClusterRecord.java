package io.capoa.lab.assisted;

import io.capoa.lab.actors.Key;
import io.capoa.lab.workload.Workload;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A cluster in the service's database; used by one thread at a time, except for what is volatile. */
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
    boolean accepted;

    /** Since when its checks are looked at; {@code null} before the first time. */
    @Nullable
    Instant looked;

    /** Since when its first host is known; {@code null} before. */
    @Nullable
    Instant hostKnown;

    Map<String, Object> frozen = Map.of();
    Requirements requirements = new Requirements(0, 0);

    /** @param installUid UID of the AgentClusterInstall, from which the cluster's id follows */
    ClusterRecord(Key key, String installUid) {
        this.key = key;
        this.installUid = installUid;
        this.id = UUID.nameUUIDFromBytes(installUid.getBytes(StandardCharsets.UTF_8))
                .toString();
        this.openshiftId = UUID.nameUUIDFromBytes(("openshift-" + installUid).getBytes(StandardCharsets.UTF_8))
                .toString();
    }

    void enter(ClusterState next) {
        state = next;
        entered = Instant.now();
    }

    /** What is left of the time that the present state takes; zero when it is over. */
    Duration left(Duration takes) {
        Duration left = takes.minus(Duration.between(entered, Instant.now()));
        return left.isNegative() ? Duration.ZERO : left;
    }
}
