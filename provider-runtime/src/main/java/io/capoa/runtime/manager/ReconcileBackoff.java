package io.capoa.runtime.manager;

import io.javaoperatorsdk.operator.processing.retry.Retry;
import io.javaoperatorsdk.operator.processing.retry.RetryExecution;
import java.time.Duration;
import java.util.Optional;
import java.util.function.DoubleSupplier;

/**
 * Retries a failed reconcile forever, with a delay that doubles up to a maximum. Each delay is shortened at random by
 * up to a fifth, so that objects that failed together do not retry together.
 */
final class ReconcileBackoff implements Retry {

    private static final double JITTER = 0.2;

    private final long initialMillis;
    private final long maxMillis;
    private final DoubleSupplier random;

    /**
     * @param random from 0 to 1
     */
    ReconcileBackoff(Duration initial, Duration max, DoubleSupplier random) {
        this.initialMillis = initial.toMillis();
        this.maxMillis = max.toMillis();
        this.random = random;
    }

    @Override
    public RetryExecution initExecution() {
        return new Execution();
    }

    private final class Execution implements RetryExecution {

        private int attempts;
        private long next = initialMillis;

        @Override
        public Optional<Long> nextDelay() {
            attempts++;
            long delay = next;
            next = Math.min(maxMillis, next * 2);
            return Optional.of(Math.max(1, (long) (delay * (1 - JITTER * random.getAsDouble()))));
        }

        @Override
        public int getAttemptCount() {
            return attempts;
        }

        @Override
        public boolean isLastAttempt() {
            return false;
        }
    }
}
