package io.capoa.api.untrusted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Where input is parsed. */
class LongInputTest {

    private static final int LONG = LongInput.SHORT + 1;

    private static <T> T onVirtualThread(Supplier<T> task) {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            return CompletableFuture.supplyAsync(task, threads).join();
        }
    }

    private static boolean isParsedOnAVirtualThread(int length) {
        return LongInput.parse(length, () -> Thread.currentThread().isVirtual());
    }

    @Test
    void longInput_leavesTheCarrier_shortInputDoesNot() {
        assertThat(onVirtualThread(() -> isParsedOnAVirtualThread(LONG))).isFalse();
        assertThat(onVirtualThread(() -> isParsedOnAVirtualThread(LongInput.SHORT)))
                .isTrue();
    }

    @Test
    void onAPlatformThread_itIsParsedThere() {
        assertThat(LongInput.<Thread>parse(LONG, Thread::currentThread)).isSameAs(Thread.currentThread());
    }

    @Test
    void theParsersFailure_isThrownAsItIs() {
        var failure = new IllegalArgumentException("not TOML");
        assertThatThrownBy(() -> onVirtualThread(() -> LongInput.parse(LONG, () -> {
                    throw failure;
                })))
                .cause()
                .isSameAs(failure);
    }
}
