package io.capoa.runtime.manager;

import io.capoa.runtime.logging.LogFields;
import java.util.HexFormat;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.MDC;

/** Runs a limited number of reconciles on virtual threads; each has an id, which its log lines show. */
final class ReconcilePool extends ThreadPoolExecutor {

    private static final HexFormat HEX = HexFormat.of();

    ReconcilePool(int size) {
        super(
                size,
                size,
                10,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                Thread.ofVirtual().name("reconcile-", 0).factory());
        allowCoreThreadTimeOut(true);
    }

    @Override
    protected void beforeExecute(Thread thread, Runnable reconcile) {
        MDC.put(
                LogFields.RECONCILE_ID,
                HEX.toHexDigits(ThreadLocalRandom.current().nextInt()));
        super.beforeExecute(thread, reconcile);
    }

    @Override
    protected void afterExecute(Runnable reconcile, @org.jspecify.annotations.Nullable Throwable failure) {
        super.afterExecute(reconcile, failure);
        MDC.clear();
    }
}
