package io.capoa.controlplane.release;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Semaphore;

/** Gives each registry a few places, first come first served, so that one that is slow takes none of another's. */
final class Lanes {

    private static final class Lane {
        final Semaphore places;
        int users;

        Lane(int places) {
            this.places = new Semaphore(places, true);
        }
    }

    /** Work that may block. */
    @FunctionalInterface
    interface Work<T> {
        T run() throws RegistryException, InterruptedException;
    }

    private final int places;
    private final Map<String, Lane> lanes = new HashMap<>();

    Lanes(int places) {
        this.places = places;
    }

    /** Does the work once a place in the lane is free. */
    <T> T in(String name, Work<T> work) throws RegistryException, InterruptedException {
        Lane lane = enter(name);
        try {
            lane.places.acquire();
            try {
                return work.run();
            } finally {
                lane.places.release();
            }
        } finally {
            leave(name, lane);
        }
    }

    private synchronized Lane enter(String name) {
        Lane lane = lanes.computeIfAbsent(name, n -> new Lane(places));
        lane.users++;
        return lane;
    }

    private synchronized void leave(String name, Lane lane) {
        if (--lane.users == 0) {
            lanes.remove(name);
        }
    }
}
