package io.capoa.runtime.events;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells milestones and failures of an object as Kubernetes Events, each once.
 *
 * <p>An Event's name follows from what it says of which object. One that was told before, by this process or by an
 * earlier one, therefore exists already and is not told again while the API server keeps it (an hour by default).
 * Recording never delays a reconcile and never fails it.
 */
public final class EventRecorder implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(EventRecorder.class);
    private static final int REMEMBERED = 10_000;
    private static final int LONGEST_MESSAGE = 1024;
    private static final int LONGEST_NAME = 200;

    private final KubernetesClient client;
    private final String component;
    private final Clock clock;
    private final ExecutorService writers = Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("event-", 0).factory());
    private final Set<String> told =
            Collections.synchronizedSet(Collections.newSetFromMap(new LinkedHashMap<String, Boolean>() {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
                    return size() > REMEMBERED;
                }
            }));

    /**
     * Records through the client.
     *
     * @param component who speaks, as {@code kubectl describe} shows it
     */
    public EventRecorder(KubernetesClient client, String component, Clock clock) {
        this.client = client;
        this.component = component;
        this.clock = clock;
    }

    /** Something went well. */
    public void normal(HasMetadata about, String reason, String message) {
        record(about, "Normal", reason, message);
    }

    /** Something failed; the message says what, and what to do. Never a secret. */
    public void warning(HasMetadata about, String reason, String message) {
        record(about, "Warning", reason, message);
    }

    private void record(HasMetadata about, String type, String reason, String message) {
        String name = name(about, reason, message);
        if (!told.add(name)) {
            return;
        }
        Event event = event(about, name, type, reason, message);
        writers.execute(() -> write(event));
    }

    private void write(Event event) {
        try {
            client.resource(event).create();
        } catch (KubernetesClientException e) {
            if (e.getCode() != HttpURLConnection.HTTP_CONFLICT) {
                LOG.debug("Event {} was not written: {}", event.getReason(), e.getMessage());
            }
        }
    }

    private Event event(HasMetadata about, String name, String type, String reason, String message) {
        String now = clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
        return new EventBuilder()
                .withNewMetadata()
                .withNamespace(about.getMetadata().getNamespace())
                .withName(name)
                .endMetadata()
                .withNewInvolvedObject()
                .withApiVersion(about.getApiVersion())
                .withKind(about.getKind())
                .withNamespace(about.getMetadata().getNamespace())
                .withName(about.getMetadata().getName())
                .withUid(about.getMetadata().getUid())
                .endInvolvedObject()
                .withType(type)
                .withReason(reason)
                .withMessage(
                        message.length() <= LONGEST_MESSAGE ? message : message.substring(0, LONGEST_MESSAGE - 1) + "…")
                .withFirstTimestamp(now)
                .withLastTimestamp(now)
                .withCount(1)
                .withReportingComponent(component)
                .withNewSource()
                .withComponent(component)
                .endSource()
                .build();
    }

    private static String name(HasMetadata about, String reason, String message) {
        String said = about.getMetadata().getUid() + "/" + reason + "/" + message;
        String digest = UUID.nameUUIDFromBytes(said.getBytes(StandardCharsets.UTF_8))
                .toString()
                .replace("-", "");
        String name = about.getMetadata().getName();
        return (name.length() <= LONGEST_NAME ? name : name.substring(0, LONGEST_NAME)) + "." + digest;
    }

    @Override
    public void close() {
        writers.close();
    }
}
