package io.capoa.runtime.events;

import io.capoa.runtime.threads.VirtualThreads;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.MicroTime;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.api.model.events.v1.EventBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes Events ({@code events.k8s.io/v1}) beside the reconciles, which never wait for it. The same thing said of the same
 * object is an Event once an hour; more than {@value #BURST} at once or one a second in the long run are dropped, for
 * Events are a help and conditions tell the whole truth.
 */
public final class EventRecorder implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(EventRecorder.class);
    private static final int BURST = 200;
    private static final int REMEMBERED = 10_000;
    private static final Duration NOT_REPEATED_FOR = Duration.ofHours(1);
    private static final Duration PER_EVENT = Duration.ofSeconds(1);
    private static final DateTimeFormatter MICROS =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    private record Key(String uid, RecordedEvent told) {}

    private final Consumer<Event> sink;
    private final String controller;
    private final Clock clock;
    private final BlockingQueue<Event> queue = new ArrayBlockingQueue<>(BURST);
    private final Map<Key, Instant> said = new LinkedHashMap<>();
    private final AtomicLong serial;
    private final Thread worker;
    private Instant spentUntil;

    /**
     * Sends to the API server.
     *
     * @param controller name of the reporting controller, such as {@code capoa-bootstrap}
     */
    public EventRecorder(KubernetesClient client, String controller, Clock clock) {
        this(
                event -> {
                    var unused = client.resource(event).create();
                },
                controller,
                clock);
    }

    EventRecorder(Consumer<Event> sink, String controller, Clock clock) {
        this.sink = sink;
        this.controller = controller;
        this.clock = clock;
        this.serial = new AtomicLong(clock.millis() * 1000);
        this.spentUntil = clock.instant().minus(PER_EVENT.multipliedBy(BURST));
        this.worker = VirtualThreads.start("events", this::work);
    }

    /**
     * Records an Event, asynchronously, unless it was recorded lately or there are too many. A warning is also logged, as
     * often as it is an Event.
     */
    public void tell(HasMetadata regarding, RecordedEvent told) {
        if (!isNews(new Key(regarding.getMetadata().getUid(), told))) {
            return;
        }
        if (told.warning()) {
            LOG.warn(
                    "{} {}/{}: {}: {}",
                    regarding.getKind(),
                    regarding.getMetadata().getNamespace(),
                    regarding.getMetadata().getName(),
                    told.reason(),
                    told.note());
        }
        if (!queue.offer(event(regarding, told, controller, clock.instant(), serial.incrementAndGet()))) {
            LOG.debug("Too many events: {} is not told", told.reason());
        }
    }

    /** Records one Event of a process that ends, before it returns; a failure is logged at debug level. */
    public static void record(KubernetesClient client, HasMetadata regarding, RecordedEvent told, String controller) {
        try {
            var now = Instant.now();
            var unused = client.resource(event(regarding, told, controller, now, now.toEpochMilli() * 1000))
                    .create();
        } catch (RuntimeException refused) {
            LOG.debug("Event {} could not be made", told.reason(), refused);
        }
    }

    private synchronized boolean isNews(Key key) {
        Instant now = clock.instant();
        Instant last = said.get(key);
        if (last != null && now.isBefore(last.plus(NOT_REPEATED_FOR))) {
            return false;
        }
        Instant floor = now.minus(PER_EVENT.multipliedBy(BURST));
        Instant spent = (spentUntil.isBefore(floor) ? floor : spentUntil).plus(PER_EVENT);
        if (spent.isAfter(now)) {
            return false;
        }
        spentUntil = spent;
        said.remove(key);
        said.put(key, now);
        if (said.size() > REMEMBERED) {
            said.remove(said.keySet().iterator().next());
        }
        return true;
    }

    private static Event event(
            HasMetadata regarding, RecordedEvent told, String controller, Instant time, long serial) {
        return new EventBuilder()
                .withNewMetadata()
                .withNamespace(regarding.getMetadata().getNamespace())
                .withName(regarding.getMetadata().getName() + "." + Long.toHexString(serial))
                .endMetadata()
                .withEventTime(new MicroTime(MICROS.format(time)))
                .withReportingController(controller)
                .withReportingInstance(controller)
                .withAction("Reconcile")
                .withType(told.warning() ? "Warning" : "Normal")
                .withReason(told.reason())
                .withNote(told.shortNote())
                .withRegarding(new ObjectReferenceBuilder()
                        .withApiVersion(regarding.getApiVersion())
                        .withKind(regarding.getKind())
                        .withNamespace(regarding.getMetadata().getNamespace())
                        .withName(regarding.getMetadata().getName())
                        .withUid(regarding.getMetadata().getUid())
                        .build())
                .build();
    }

    private void work() {
        try {
            while (true) {
                send(queue.take());
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private void send(Event event) {
        try {
            sink.accept(event);
        } catch (RuntimeException refused) {
            // A namespace that is being deleted accepts no Events.
            LOG.debug("Event {} could not be made", event.getReason(), refused);
        }
    }

    @Override
    public void close() {
        worker.interrupt();
    }
}
