package io.capoa.runtime.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OpenConnectionsTest {

    private final List<Member> cut = new ArrayList<>();

    private final class Member implements OpenConnections.Member {
        private final InetAddress address;
        private final long since;
        private final boolean served;
        private boolean busy;

        private Member(String address, long since, boolean served) {
            try {
                this.address = InetAddress.getByName(address);
            } catch (UnknownHostException e) {
                throw new IllegalArgumentException(e);
            }
            this.since = since;
            this.served = served;
        }

        private Member busy() {
            busy = true;
            return this;
        }

        @Override
        public InetAddress address() {
            return address;
        }

        @Override
        public boolean awaitsClient() {
            return !busy;
        }

        @Override
        public boolean served() {
            return served;
        }

        @Override
        public long since() {
            return since;
        }

        @Override
        public long deadline() {
            return since + 10;
        }

        @Override
        public void cut() {
            cut.add(this);
        }
    }

    @Test
    void anAddressWithManyConnections_givesUpItsOwn() {
        var open = new OpenConnections(3);
        var apiServer = new Member("10.0.0.1", 1, true);
        var first = new Member("10.0.0.9", 2, false);
        open.admit(apiServer);
        open.admit(first);
        open.admit(new Member("10.0.0.9", 3, false));

        assertThat(open.admit(new Member("10.0.0.2", 4, false))).isTrue();

        assertThat(cut).containsExactly(first);
    }

    @Test
    void ofOneAddress_whatWasNeverAnsweredGoesFirst_thenTheOldest() {
        var open = new OpenConnections(3);
        var kept = new Member("10.0.0.1", 1, true);
        var silent = new Member("10.0.0.1", 2, false);
        var later = new Member("10.0.0.1", 3, false);
        open.admit(kept);
        open.admit(silent);
        open.admit(later);

        open.admit(new Member("10.0.0.1", 4, true));
        open.admit(new Member("10.0.0.1", 5, true));
        open.admit(new Member("10.0.0.1", 6, true));

        assertThat(cut).containsExactly(silent, later, kept);
    }

    @Test
    void whatIsWorkedFor_staysAlsoWhenItsAddressHasMost() {
        var open = new OpenConnections(2);
        open.admit(new Member("10.0.0.1", 1, true).busy());
        open.admit(new Member("10.0.0.1", 2, true).busy());

        assertThat(open.admit(new Member("10.0.0.2", 3, false))).isFalse();
        open.expire(1_000);

        assertThat(cut).isEmpty();
    }

    @Test
    void aWaitThatIsOver_endsTheConnection() {
        var open = new OpenConnections(2);
        var early = new Member("10.0.0.1", 0, false);
        open.admit(early);
        open.admit(new Member("10.0.0.1", 5, false));

        open.expire(10);

        assertThat(cut).containsExactly(early);
    }

    @Test
    void theNextDeadline_isThatOfTheFirstThatWaitsForItsClient() {
        var open = new OpenConnections(3);
        assertThat(open.nextDeadline(100)).isEmpty();
        open.admit(new Member("10.0.0.1", 1, false).busy());
        assertThat(open.nextDeadline(100)).hasValue(100);
        open.admit(new Member("10.0.0.1", 5, false));
        open.admit(new Member("10.0.0.1", 3, false));

        assertThat(open.nextDeadline(100)).hasValue(13);
        assertThat(open.nextDeadline(7)).hasValue(7);
    }
}
