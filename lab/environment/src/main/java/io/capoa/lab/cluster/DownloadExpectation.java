package io.capoa.lab.cluster;

import java.time.Duration;

/** Expects that a download goes on as fast as before. */
record DownloadExpectation(long bytes, long size) implements MakingProgress.Expectation {

    @Override
    public String after(Duration elapsed) {
        return size < bytes
                ? "%d MB, %s so far".formatted(bytes >> 20, MakingProgress.text(elapsed))
                : "%d of %d MB, %s of about %s"
                        .formatted(
                                bytes >> 20,
                                size >> 20,
                                MakingProgress.text(elapsed),
                                MakingProgress.text(
                                        Duration.ofSeconds(elapsed.toSeconds() * size / Math.max(1, bytes))));
    }
}
