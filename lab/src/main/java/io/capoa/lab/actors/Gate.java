package io.capoa.lab.actors;

import java.util.concurrent.CountDownLatch;

/** Delays reconciles until all informers have synced, so that absent means absent. */
public final class Gate {

    private final CountDownLatch opened = new CountDownLatch(1);

    /** The same reconciler, which first waits for {@link #open()}. */
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
