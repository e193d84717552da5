package io.capoa.lab.endurance;

import io.capoa.lab.endurance.Fault.Kind;
import io.capoa.lab.provider.Provider;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/**
 * What a run does, from its seed alone: the same seed gives the same faults and the same lives of clusters, each as long
 * as the run needs.
 */
public final class Plan {

    private static final int MOST_WRITES = 12;
    /** Longer than a Lease: a frozen leader is deposed. */
    private static final int LONGEST_MILLIS = 22_000;
    /** Of the releases to which clusters are upgraded. */
    private static final List<Operation> IN_ORDER = List.of(
            Operation.UPGRADE,
            Operation.UPGRADE,
            Operation.UPDATE_IN_PLACE,
            Operation.UPGRADE,
            Operation.ROLL_BACK,
            Operation.UPDATE_IN_PLACE,
            Operation.UPGRADE);

    private static final List<Operation> IN_ANY_ORDER = List.of(
            Operation.ROLLOUT,
            Operation.SCALE,
            Operation.REPLACE_DEAD_MASTER,
            Operation.REPLACE_DEAD_WORKER,
            Operation.MACHINE_CONFIG,
            Operation.MIGRATE_STORAGE);

    private static final List<Kind> KINDS = Stream.of(Kind.values())
            .flatMap(kind -> Collections.nCopies(kind.weight(), kind).stream())
            .toList();

    private final long seed;

    public Plan(long seed) {
        this.seed = seed;
    }

    /** The faults, without end. */
    public Stream<Fault> faults() {
        Random random = new Random(seed);
        return Stream.iterate(1, number -> number + 1).map(number -> {
            Kind kind = KINDS.get(random.nextInt(KINDS.size()));
            Provider provider = Provider.values()[random.nextInt(Provider.values().length)];
            int writes = random.nextInt(MOST_WRITES);
            int millis = 1_000 + random.nextInt(LONGEST_MILLIS);
            return new Fault(number, kind, provider, writes, kind.isKill() ? Duration.ZERO : Duration.ofMillis(millis));
        });
    }

    /** What the administrator does with the cluster of that number, from 0: each operation has its place and its order. */
    public List<Operation> life(int cluster) {
        Random random = new Random(seed + 31L * (cluster + 1));
        List<Operation> shuffled = new ArrayList<>(IN_ANY_ORDER);
        Collections.shuffle(shuffled, random);
        List<Operation> life = new ArrayList<>(IN_ORDER);
        for (Operation operation : shuffled) {
            life.add(random.nextInt(life.size() + 1), operation);
        }
        life.addFirst(Operation.INSTALL);
        life.addLast(Operation.DELETE);
        return List.copyOf(life);
    }
}
