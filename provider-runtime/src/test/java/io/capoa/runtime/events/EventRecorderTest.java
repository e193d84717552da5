package io.capoa.runtime.events;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.capoa.runtime.logging.TestLoggers;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventRecorderTest {

    private static final Clock CLOCK = Clock.fixed(Instant.parse("2026-01-01T00:00:00Z"), ZoneOffset.UTC);

    private final BlockingQueue<Event> sent = new LinkedBlockingQueue<>();

    @Test
    void anEventNamesItsObject_andIsNotRepeated() throws InterruptedException {
        try (EventRecorder recorder = new EventRecorder(sent::add, "capoa-test", CLOCK)) {
            recorder.tell(object("u1"), RecordedEvent.warning("Broken", "it broke"));
            recorder.tell(object("u1"), RecordedEvent.warning("Broken", "it broke"));
            recorder.tell(object("u2"), RecordedEvent.good("Recovered", "x".repeat(2000)));

            Event first = sent.poll(5, TimeUnit.SECONDS);
            Event second = sent.poll(5, TimeUnit.SECONDS);

            assertThat(first.getReason()).isEqualTo("Broken");
            assertThat(first.getType()).isEqualTo("Warning");
            assertThat(first.getNote()).isEqualTo("it broke");
            assertThat(first.getReportingController()).isEqualTo("capoa-test");
            assertThat(first.getRegarding().getUid()).isEqualTo("u1");
            assertThat(first.getMetadata().getNamespace()).isEqualTo("ns");
            assertThat(first.getEventTime().getTime()).isEqualTo("2026-01-01T00:00:00.000000Z");
            assertThat(second.getType()).isEqualTo("Normal");
            assertThat(second.getNote().getBytes(StandardCharsets.UTF_8)).hasSize(RecordedEvent.LONGEST_NOTE);
            assertThat(sent.poll(100, TimeUnit.MILLISECONDS)).isNull();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "ä", "€", "😀", "a😀"})
    void aNoteIsCut_toTheBytesThatTheApiServerTakes(String text) {
        String cut = RecordedEvent.good("Long", text.repeat(2000)).shortNote();

        assertThat(cut.getBytes(StandardCharsets.UTF_8).length).isBetween(1021, 1024);
        assertThat(cut).endsWith("…").doesNotContain("\uFFFD").doesNotContain("?");
        assertThat(new String(cut.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8))
                .isEqualTo(cut);
        assertThat(RecordedEvent.good("Short", "x".repeat(1024)).shortNote()).hasSize(1024);
    }

    @Test
    void aWarningIsALineOfTheLog_once_andOtherNewsIsNone() {
        Logger logger = TestLoggers.of(EventRecorder.class.getName());
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        logger.addAppender(log);
        // Tests log errors alone; a manager logs from info on.
        logger.setLevel(Level.INFO);
        try (EventRecorder recorder = new EventRecorder(sent::add, "capoa-test", CLOCK)) {
            for (int reconcile = 0; reconcile < 3; reconcile++) {
                recorder.tell(object("u1"), RecordedEvent.warning("InstallFailed", "host a: no disk"));
                recorder.tell(object("u1"), RecordedEvent.good("Recovered", "well again"));
            }
            assertThat(log.list).hasSize(1).first().satisfies(line -> {
                assertThat(line.getLevel()).isEqualTo(Level.WARN);
                assertThat(line.getFormattedMessage()).isEqualTo("ConfigMap ns/a: InstallFailed: host a: no disk");
            });
        } finally {
            logger.detachAppender(log);
            logger.setLevel(null);
        }
    }

    @Test
    void aFloodIsCut_andNeverWaitedFor() throws InterruptedException {
        CountDownLatch open = new CountDownLatch(1);
        try (EventRecorder recorder = new EventRecorder(
                event -> {
                    try {
                        open.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    sent.add(event);
                },
                "capoa-test",
                CLOCK)) {
            for (int i = 0; i < 1000; i++) {
                recorder.tell(object("u" + i), RecordedEvent.warning("Broken", "it broke"));
            }
            open.countDown();
            Event last = sent.poll(5, TimeUnit.SECONDS);
            int received = 0;
            while (last != null) {
                received++;
                last = sent.poll(200, TimeUnit.MILLISECONDS);
            }
            assertThat(received).isBetween(1, 201);
        }
    }

    private static ConfigMap object(String uid) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace("ns")
                .withName("a")
                .withUid(uid)
                .endMetadata()
                .build();
    }
}
