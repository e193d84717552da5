package io.capoa.bootstrap.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class IsoRefreshesTest {

    private static final ResourceID CONFIG = new ResourceID("config", "ns");

    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private final IsoRefreshes images = new IsoRefreshes(new Clock() {
        @Override
        public Instant instant() {
            return now;
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    });

    @Test
    void theOldImageDoesNotCount_untilAnotherIsPublished() {
        assertThat(images.left(CONFIG, "old")).isEmpty();
        images.expect(CONFIG, "old");

        assertThat(images.left(CONFIG, "old")).contains(Duration.ofSeconds(10));
        assertThat(images.left(CONFIG, "new")).isEmpty();
        assertThat(images.left(CONFIG, "old")).isEmpty();
    }

    @Test
    void orUntilNoneHasComeForAWhile() {
        images.expect(CONFIG, "old");
        now = now.plusSeconds(4);
        assertThat(images.left(CONFIG, "old")).contains(Duration.ofSeconds(6));

        now = now.plusSeconds(6);
        assertThat(images.left(CONFIG, "old")).isEmpty();
    }
}
