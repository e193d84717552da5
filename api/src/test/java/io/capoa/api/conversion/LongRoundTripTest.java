package io.capoa.api.conversion;

import org.junit.jupiter.api.Tag;

/** As {@link RoundTripTest}, for twenty times as many objects. */
@Tag("full")
class LongRoundTripTest extends RoundTripTest {

    @Override
    int rounds() {
        return 10_000;
    }
}
