package io.capoa.lab.actors;

import java.util.concurrent.CountDownLatch;

/** Holds an actor's work back until all its caches are filled, so that absent means absent. */
public final class Gate {

    private final CountDownLatch opened = new CountDownLatch(1);

    /** The same step, which waits for {@link #open()} first. */
    public Loop.Step behind(Loop.Step step) {
        return key -> {
            opened.await();
            return step.work(key);
        };
    }

    public void open() {
        opened.countDown();
    }
}
