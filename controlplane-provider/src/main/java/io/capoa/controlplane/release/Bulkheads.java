package io.capoa.controlplane.release;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Limits concurrent work per registry and per namespace, first come first served, so that a slow or greedy one does
 * not delay the others. Work holds a place in each of its lanes, or waits without any.
 */
final class Bulkheads {

    /** A queue of its own: work of equal lane names shares the places. */
    record Lane(String name, int places) {}

    /** Work that may block. */
    @FunctionalInterface
    interface Work<T> {
        T run() throws RegistryException, InterruptedException;
    }

    private static final class Waiter {
        final List<Lane> lanes;
        boolean admitted;

        Waiter(List<Lane> lanes) {
            this.lanes = lanes;
        }
    }

    private final Map<Lane, Integer> used = new HashMap<>();
    private final Deque<Waiter> waiting = new ArrayDeque<>();

    /** Does the work once a place is free in each of the lanes. */
    <T> T in(List<Lane> lanes, Work<T> work) throws RegistryException, InterruptedException {
        enter(new Waiter(lanes));
        try {
            return work.run();
        } finally {
            leave(lanes);
        }
    }

    private synchronized void enter(Waiter waiter) throws InterruptedException {
        waiting.add(waiter);
        admit();
        try {
            while (!waiter.admitted) {
                wait();
            }
        } catch (InterruptedException e) {
            if (waiter.admitted) {
                leave(waiter.lanes);
            } else {
                waiting.remove(waiter);
            }
            throw e;
        }
    }

    private synchronized void leave(List<Lane> lanes) {
        lanes.forEach(lane -> used.computeIfPresent(lane, (key, count) -> count > 1 ? count - 1 : null));
        admit();
    }

    /** A request for a full lane is overtaken by requests for others. */
    private void admit() {
        boolean any = waiting.removeIf(waiter -> {
            boolean free = waiter.lanes.stream().allMatch(lane -> used.getOrDefault(lane, 0) < lane.places());
            if (free) {
                waiter.lanes.forEach(lane -> used.merge(lane, 1, Integer::sum));
                waiter.admitted = true;
            }
            return free;
        });
        if (any) {
            notifyAll();
        }
    }
}
