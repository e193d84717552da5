package io.capoa.lab.controller;

import java.util.concurrent.CountDownLatch;

/** Delays reconciles until all informers have synced, so that absent means absent. */
public final class CacheSyncGate {

    private final CountDownLatch opened = new CountDownLatch(1);

    /** The same reconciler, which first waits for {@link #open()}. */
    public WorkQueue.Step behind(WorkQueue.Step step) {
        return key -> {
            opened.await();
            return step.work(key);
        };
    }

    public void open() {
        opened.countDown();
    }
}
