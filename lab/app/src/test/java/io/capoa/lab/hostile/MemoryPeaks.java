package io.capoa.lab.hostile;

import io.capoa.lab.manager.ManagerChild;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;

/** Looks ten times a second at the memory of managers that counts against their limits. */
final class MemoryPeaks implements AutoCloseable {

    private static final Duration PERIOD = Duration.ofMillis(100);

    private final List<ManagerChild> managers;
    private final long[] peaks;
    private final Thread looking;

    MemoryPeaks(List<ManagerChild> managers) {
        this.managers = managers;
        this.peaks = new long[managers.size()];
        this.looking = Thread.ofPlatform().start(this::look);
    }

    private void look() {
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

    /** In the order of the managers; ends the looking. */
    List<Long> mebibytes() throws InterruptedException {
        close();
        looking.join();
        return LongStream.of(peaks).map(peak -> peak >> 20).boxed().toList();
    }

    @Override
    public void close() {
        looking.interrupt();
    }
}
