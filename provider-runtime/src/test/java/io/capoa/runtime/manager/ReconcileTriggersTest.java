package io.capoa.runtime.manager;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.runtime.client.ThreadWrites;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.fabric8.kubernetes.client.http.StandardHttpRequest;
import io.javaoperatorsdk.operator.api.reconciler.Constants;
import io.javaoperatorsdk.operator.api.reconciler.RetryInfo;
import io.javaoperatorsdk.operator.processing.event.Event;
import io.javaoperatorsdk.operator.processing.event.EventHandler;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The calls come in JOSDK's order: events and submissions under its lock, start and end on the reconcile's thread. */
class ReconcileTriggersTest {

    private static final Map<String, Object> METADATA = Map.of(Constants.CONTROLLER_NAME, "sample");
    private static final ConfigMap OBJECT = new ConfigMapBuilder()
            .withNewMetadata()
            .withNamespace("ns")
            .withName("a")
            .endMetadata()
            .build();

    private static final Interceptor.RequestTags NO_TAGS = new Interceptor.RequestTags() {
        @Override
        public <T> @Nullable T getTag(Class<T> type) {
            return null;
        }
    };

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final ReconcileTriggers triggers = new ReconcileTriggers(registry);

    @Test
    void aReconcile_countsForItsFirstEvent_andByItsWrites() {
        event("Agent");
        event("Machine");
        submit(null);
        event("Machine");
        run("PATCH", "https://api/apis/bootstrap/v1beta1/namespaces/ns/configs/a/status");
        submit(null);
        run("GET", "https://api/api/v1/namespaces/ns/secrets/a");

        assertThat(count("Agent", true)).isEqualTo(1);
        assertThat(count("Machine", false)).isEqualTo(1);
        assertThat(registry.find("capoa.reconcile.triggers").counters()).hasSize(2);
    }

    /** JOSDK submits the next reconcile of an object before it ends the last one. */
    @Test
    void eventsDuringAReconcile_belongToTheNext() {
        event("Agent");
        submit(null);
        triggers.reconciliationStarted(OBJECT, METADATA);
        event("Machine");
        submit(null);
        triggers.reconciliationFinished(OBJECT, null, METADATA);
        run("POST", "https://api/api/v1/namespaces/ns/secrets");

        assertThat(count("Agent", false)).isEqualTo(1);
        assertThat(count("Machine", true)).isEqualTo(1);
    }

    @Test
    void aTimerAfterAFailure_isARetry_andAnEventIsNone() {
        event(ReconcileTriggers.TIMER);
        submit(retry());
        run("GET", "https://api/version");
        event("Agent");
        submit(retry());
        run("GET", "https://api/version");
        event(ReconcileTriggers.TIMER);
        submit(null);
        run("GET", "https://api/version");

        assertThat(count(ReconcileTriggers.RETRY, false)).isEqualTo(1);
        assertThat(count("Agent", false)).isEqualTo(1);
        assertThat(count(ReconcileTriggers.TIMER, false)).isEqualTo(1);
    }

    @Test
    void reviewsAndDryRuns_areNoWrites() {
        event("Agent");
        submit(null);
        run("POST", "https://api/apis/authorization.k8s.io/v1/selfsubjectaccessreviews");
        event("Agent");
        submit(null);
        run("POST", "https://api/api/v1/namespaces/ns/secrets?fieldManager=capoa&dryRun=All");

        assertThat(count("Agent", false)).isEqualTo(2);
    }

    private void event(String source) {
        EventHandler processor = received -> triggers.eventReceived(received, METADATA);
        triggers.from(source, processor).handleEvent(new Event(new ResourceID("a", "ns")));
    }

    private void submit(@Nullable RetryInfo retry) {
        triggers.reconciliationSubmitted(OBJECT, retry, METADATA);
    }

    private void run(String method, String uri) {
        triggers.reconciliationStarted(OBJECT, METADATA);
        HttpRequest request = new StandardHttpRequest.Builder()
                .uri(URI.create(uri))
                .method(method, "application/json", "{}")
                .build();
        new ThreadWrites().before(new StandardHttpRequest.Builder(), request, NO_TAGS);
        triggers.reconciliationFinished(OBJECT, null, METADATA);
    }

    private double count(String source, boolean wrote) {
        return registry.get("capoa.reconcile.triggers")
                .tags("controller", "sample", "source", source, "wrote", Boolean.toString(wrote))
                .counter()
                .count();
    }

    private static RetryInfo retry() {
        return new RetryInfo() {
            @Override
            public int getAttemptCount() {
                return 1;
            }

            @Override
            public boolean isLastAttempt() {
                return false;
            }
        };
    }
}
