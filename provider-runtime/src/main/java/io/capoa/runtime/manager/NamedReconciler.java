package io.capoa.runtime.manager;

import io.capoa.api.ReadInPart;
import io.capoa.api.rules.MissingFields;
import io.capoa.runtime.logging.LogFields;
import io.capoa.runtime.watch.RemovalEventSource;
import io.capoa.runtime.watch.ResyncEventSource;
import io.capoa.runtime.write.AnyVersionWriter;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.javaoperatorsdk.operator.OperatorException;
import io.javaoperatorsdk.operator.api.reconciler.Cleaner;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ContextInitializer;
import io.javaoperatorsdk.operator.api.reconciler.DeleteControl;
import io.javaoperatorsdk.operator.api.reconciler.ErrorStatusUpdateControl;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.MDC;

/**
 * Wraps a reconciler to put the controller's name into the MDC, where JOSDK puts only the resource, to unwrap
 * exceptions that JOSDK's metrics wrap, to reconcile all objects once in a sync period, to leave alone an object that
 * has lost the label of this manager but is still in JOSDK's cache of recent writes, and to let objects go that the API
 * server takes no write of in the stored version.
 */
class NamedReconciler<P extends HasMetadata> implements Reconciler<P>, ContextInitializer<P> {

    final String controller;
    private final Reconciler<P> reconciler;
    private final Duration syncPeriod;

    private NamedReconciler(String controller, Reconciler<P> reconciler, Duration syncPeriod) {
        this.controller = controller;
        this.reconciler = reconciler;
        this.syncPeriod = syncPeriod;
    }

    /** A wrapper that is a {@link Cleaner} exactly when the reconciler is one: JOSDK asks by type. */
    @SuppressWarnings("unchecked")
    static <P extends HasMetadata> Reconciler<P> of(String controller, Reconciler<P> reconciler, Duration syncPeriod) {
        return reconciler instanceof Cleaner<?>
                ? new WithCleanup<>(controller, reconciler, (Cleaner<P>) reconciler, syncPeriod)
                : new NamedReconciler<>(controller, reconciler, syncPeriod);
    }

    /** The wrapped reconciler, or this one if it is not wrapped. */
    static Reconciler<?> unwrap(Reconciler<?> reconciler) {
        return reconciler instanceof NamedReconciler<?> named ? named.reconciler : reconciler;
    }

    @Override
    public UpdateControl<P> reconcile(P resource, Context<P> context) throws Exception {
        MDC.put(LogFields.CONTROLLER, controller);
        return RemovalEventSource.isSelected(resource, context)
                ? reconciler.reconcile(resource, context)
                : UpdateControl.noUpdate();
    }

    @Override
    public List<EventSource<?, P>> prepareEventSources(EventSourceContext<P> context) {
        List<EventSource<?, P>> sources = new ArrayList<>(reconciler.prepareEventSources(context));
        sources.add(new ResyncEventSource<>(
                syncPeriod, () -> context.getPrimaryCache().keys()));
        return sources;
    }

    @Override
    public ErrorStatusUpdateControl<P> updateErrorStatus(P resource, Context<P> context, Exception failure) {
        return reconciler.updateErrorStatus(resource, context, thrown(failure));
    }

    /** What the reconciler threw: JOSDK may wrap it. */
    private static Exception thrown(Exception failure) {
        return failure instanceof OperatorException && failure.getCause() instanceof Exception cause ? cause : failure;
    }

    @Override
    @SuppressWarnings("unchecked")
    public void initContext(P primary, Context<P> context) {
        if (reconciler instanceof ContextInitializer<?> initializer) {
            ((ContextInitializer<P>) initializer).initContext(primary, context);
        }
    }

    private static final class WithCleanup<P extends HasMetadata> extends NamedReconciler<P> implements Cleaner<P> {

        private final Cleaner<P> cleaner;

        private WithCleanup(String controller, Reconciler<P> reconciler, Cleaner<P> cleaner, Duration syncPeriod) {
            super(controller, reconciler, syncPeriod);
            this.cleaner = cleaner;
        }

        @Override
        public DeleteControl cleanup(P resource, Context<P> context) throws Exception {
            MDC.put(LogFields.CONTROLLER, controller);
            if (!RemovalEventSource.isSelected(resource, context)) {
                return DeleteControl.noFinalizerRemoval();
            }
            DeleteControl control = cleaner.cleanup(resource, context);
            if (control.isRemoveFinalizer()
                    && resource instanceof ReadInPart part
                    && MissingFields.of(part).isPresent()) {
                var configuration = context.getControllerConfiguration();
                new AnyVersionWriter(context.getClient(), configuration.fieldManager())
                        .removeFinalizer(resource, configuration.getFinalizerName());
                return DeleteControl.noFinalizerRemoval();
            }
            return control;
        }
    }
}
