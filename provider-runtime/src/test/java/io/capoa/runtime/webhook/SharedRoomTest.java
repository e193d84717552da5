package io.capoa.runtime.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.time.Duration;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

/** Room for 100 bytes, of which an address has at most 50. */
class SharedRoomTest {

    private final SharedRoom room = new SharedRoom(100);
    private final InetAddress one = address(1);
    private final InetAddress other = address(2);

    private static InetAddress address(int last) {
        try {
            return InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) last});
        } catch (java.net.UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    private boolean take(InetAddress who, int bytes) throws InterruptedException {
        return room.take(who, bytes, Duration.ZERO);
    }

    @Test
    void anAddressThatHasHalf_getsNoMore_andKeepsNoOtherOut() throws InterruptedException {
        assertThat(take(one, 30)).isTrue();
        assertThat(take(one, 21)).isFalse();
        assertThat(take(one, 20)).isTrue();
        assertThat(take(other, 50)).isTrue();
        assertThat(take(address(3), 1)).isFalse();

        room.release(one, 20);

        assertThat(take(address(3), 20)).isTrue();
    }

    @Test
    void besideTheLargestRequest_thereIsRoomForASmallOneOfTheSameAddress() throws InterruptedException {
        assertThat(take(one, (int) room.largest())).isTrue();
        assertThat(take(one, (int) room.largest())).isFalse();
        assertThat(take(one, 10)).isTrue();
    }

    @Test
    void aRequestThatFindsNoRoom_waitsForIt() throws Exception {
        assertThat(take(one, 50)).isTrue();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var waiting = threads.submit(() -> room.take(one, 50, Duration.ofMinutes(1)));

            room.release(one, 50);

            assertThat(waiting.get()).isTrue();
        }
    }
}
