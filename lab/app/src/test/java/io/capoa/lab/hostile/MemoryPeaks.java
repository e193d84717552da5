package io.capoa.lab.hostile;

import io.capoa.lab.manager.ManagerChild;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;

/** Samples ten times a second the memory of managers that counts against their limits. */
final class MemoryPeaks implements AutoCloseable {

    private static final Duration PERIOD = Duration.ofMillis(100);

    private final List<ManagerChild> managers;
    private final long[] peaks;
    private final Thread sampler;

    MemoryPeaks(List<ManagerChild> managers) {
        this.managers = managers;
        this.peaks = new long[managers.size()];
        this.sampler = Thread.ofPlatform().start(this::sample);
    }

    private void sample() {
        try {
            while (true) {
                for (int i = 0; i < peaks.length; i++) {
                    peaks[i] = Math.max(peaks[i], managers.get(i).memory());
                }
                Thread.sleep(PERIOD);
            }
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
    }

    /** In the order of the managers; stops the sampling. */
    List<Long> mebibytes() throws InterruptedException {
        close();
        sampler.join();
        return LongStream.of(peaks).map(peak -> peak >> 20).boxed().toList();
    }

    @Override
    public void close() {
        sampler.interrupt();
    }
}
