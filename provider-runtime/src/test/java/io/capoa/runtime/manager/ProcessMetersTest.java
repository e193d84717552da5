package io.capoa.runtime.manager;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class ProcessMetersTest {

    /** As JOSDK registers them: an event of a resource has an action, one of a timer has none. */
    @Test
    void eventsWithAndWithoutAnAction_areCountedBoth_andNothingIsWarnedOf() {
        Logger micrometer = (Logger) LoggerFactory.getLogger("io.micrometer");
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        micrometer.addAppender(log);
        try {
            ProcessMeters meters = new ProcessMeters();
            meters.registry()
                    .counter("events.received", "event", "ResourceEvent", "action", "ADDED")
                    .increment();
            meters.registry().counter("events.received", "event", "Event").increment();

            assertThat(meters.page().body())
                    .contains("events_received_total{action=\"ADDED\",event=\"ResourceEvent\"} 1.0")
                    .contains("events_received_total{action=\"none\",event=\"Event\"} 1.0");
            assertThat(log.list).extracting(ILoggingEvent::getLevel).doesNotContain(Level.WARN);
        } finally {
            micrometer.detachAppender(log);
        }
    }
}
