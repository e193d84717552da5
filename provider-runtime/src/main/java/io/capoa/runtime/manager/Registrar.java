package io.capoa.runtime.manager;

import io.capoa.runtime.options.ManagerOptions;
import io.capoa.runtime.options.WatchScope;
import io.capoa.runtime.webhook.Validator;
import io.capoa.runtime.webhook.WebhookHandler;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Registers a provider's reconcilers and webhooks, and gives access to what the process shares. */
public interface Registrar {

    /** The process's one client; not to be closed by the caller. */
    KubernetesClient client();

    /** Namespaces and watch filter; already applied to every registered reconciler. */
    WatchScope scope();

    /** The values of the flags. */
    ManagerOptions options();

    /** Who this process is: field manager, user agent, version. */
    ManagerDescription description();

    /** Meters registered here show in {@code /metrics}. */
    MeterRegistry meters();

    /** Whether this process is the one that reconciles: always without leader election. */
    boolean isLeading();

    /**
     * Runs a reconciler on every object of its kind within the scope. Its {@code @ControllerConfiguration} is used, with
     * these overrides: every update reconciles (not only those of the generation), but events in quick succession lead to
     * one reconcile; failures are retried forever with a jittered back-off; field manager {@link
     * ManagerDescription#fieldManager()}.
     */
    <P extends HasMetadata> void register(Reconciler<P> reconciler);

    /**
     * Lets the API server ask about every object of the kind before it is stored, by a webhook of the usual path. Served
     * by standbys too, unless {@code --webhook-port} is 0.
     */
    <R extends HasMetadata> void validate(Class<R> kind, Validator<R> validator);

    /**
     * Migrates the stored objects of these kinds, which are the provider's own, to the storage version of their CRDs: while
     * this process leads, and only if it sees all namespaces.
     */
    void migrate(List<Class<? extends HasMetadata>> kinds);

    /**
     * Answers POST requests of a path, beside the webhooks: with the same certificate, and on standbys too.
     *
     * @param path begins with a slash; a query is not part of it
     */
    void serve(String path, WebhookHandler handler);

    /**
     * Adds a precondition of {@code /readyz}.
     *
     * @param name how the probe's answer calls it
     * @param problem empty when all is well, else a sentence for people
     */
    void addReadyCheck(String name, Supplier<Optional<String>> problem);

    /** Closed at the end of a stop, after the last reconcile; in reverse order of the calls. */
    void closeAtStop(AutoCloseable resource);
}
