package io.capoa.runtime.manager;

import io.capoa.runtime.logging.LogFields;
import io.capoa.runtime.threads.VirtualThreads;
import java.util.HexFormat;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.MDC;

/**
 * Runs a limited number of reconciles on virtual threads, the others wait in their order; each has an id, which its log
 * lines show.
 */
final class ReconcilePool extends ThreadPoolExecutor {

    private static final HexFormat HEX = HexFormat.of();

    private final ReconcileOrder order;

    ReconcilePool(int size, ReconcileOrder order) {
        super(size, size, 10, TimeUnit.SECONDS, new PriorityBlockingQueue<>(), VirtualThreads.numbered("reconcile-"));
        this.order = order;
        allowCoreThreadTimeOut(true);
    }

    @Override
    public void execute(Runnable reconcile) {
        super.execute(order.place(reconcile));
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
