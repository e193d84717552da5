package io.capoa.runtime.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class TurnsTest {

    private final Turns turns = new Turns(Duration.ofMinutes(1));
    private final List<String> begun = new ArrayList<>();

    private CompletableFuture<String> request(String name, CompletableFuture<String> response) {
        return turns.take(() -> {
            begun.add(name);
            return response;
        });
    }

    @Test
    void aRequestIsSent_whenTheResponseBeforeHasBeenUsed() {
        CompletableFuture<String> first = new CompletableFuture<>();
        List<String> used = new ArrayList<>();
        var unused = request("first", first).thenAccept(answer -> used.addAll(begun));
        CompletableFuture<String> second = request("second", CompletableFuture.completedFuture("b"));
        assertThat(begun).containsExactly("first");

        first.complete("a");

        assertThat(used).as("sent when the first was used").containsExactly("first");
        assertThat(begun).containsExactly("first", "second");
        assertThat(second).isCompletedWithValue("b");
    }

    /** As the next page of a list, which is asked for while the one before is used. */
    @Test
    void aRequestThatFollowsFromAResponse_waitsForThoseThatWaitAlready() {
        CompletableFuture<String> first = new CompletableFuture<>();
        CompletableFuture<String> next =
                request("first", first).thenCompose(answer -> request("next", CompletableFuture.completedFuture("c")));
        var unused = request("other", CompletableFuture.completedFuture("b"));

        first.complete("a");

        assertThat(begun).containsExactly("first", "other", "next");
        assertThat(next).isCompletedWithValue("c");
    }

    @Test
    void aRequestThatFails_orCannotBeSent_holdsUpNoOther() {
        CompletableFuture<String> refused =
                request("refused", CompletableFuture.failedFuture(new IllegalStateException("no")));
        CompletableFuture<String> impossible = turns.take(() -> {
            throw new IllegalStateException("closed");
        });

        assertThat(request("other", CompletableFuture.completedFuture("b"))).isCompletedWithValue("b");
        assertThatIllegalStateException().isThrownBy(() -> rethrow(refused)).withMessage("no");
        assertThatIllegalStateException().isThrownBy(() -> rethrow(impossible)).withMessage("closed");
    }

    @Test
    void aRequestWithoutResponse_holdsUpOthersForAWhileOnly() {
        Turns impatient = new Turns(Duration.ofMillis(50));
        var unused = impatient.take(CompletableFuture<String>::new);

        assertThat(impatient.take(() -> CompletableFuture.completedFuture("b")))
                .succeedsWithin(Duration.ofSeconds(30))
                .isEqualTo("b");
    }

    private static void rethrow(CompletableFuture<String> failed) throws Throwable {
        throw failed.exceptionNow();
    }
}
