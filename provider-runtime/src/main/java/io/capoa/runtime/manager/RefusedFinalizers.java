package io.capoa.runtime.manager;

import io.capoa.api.ReadInPart;
import io.capoa.api.rules.MissingFields;
import io.capoa.runtime.threads.VirtualThreads;
import io.capoa.runtime.write.AnyVersionWriter;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.javaoperatorsdk.operator.api.monitoring.Metrics;
import io.javaoperatorsdk.operator.api.reconciler.Constants;
import io.javaoperatorsdk.operator.api.reconciler.RetryInfo;
import io.javaoperatorsdk.operator.processing.Controller;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds the finalizer of an object that is stored without a spec, through an older version. JOSDK adds finalizers before the
 * first reconcile; where v1beta1 requires a spec, the API server refuses that, and the reconciler would never be called to
 * report it. JOSDK tells its metrics of such failures, too.
 */
final class RefusedFinalizers implements Metrics {

    private static final Logger log = LoggerFactory.getLogger(RefusedFinalizers.class);

    private static final int INVALID = 422;

    private final Map<String, Controller<? extends HasMetadata>> controllers = new ConcurrentHashMap<>();

    /** By controller and object. */
    private final Set<Map.Entry<String, ResourceID>> writing = ConcurrentHashMap.newKeySet();

    @Override
    public void controllerRegistered(Controller<? extends HasMetadata> controller) {
        controllers.put(controller.getConfiguration().getName(), controller);
    }

    /** Beside the thread that calls, which holds the lock of the controller's queue. */
    @Override
    public void reconciliationFailed(
            HasMetadata object, @Nullable RetryInfo retry, Exception failure, Map<String, Object> metadata) {
        String name = String.valueOf(metadata.get(Constants.CONTROLLER_NAME));
        Controller<? extends HasMetadata> controller = controllers.get(name);
        if (controller == null
                || !controller.useFinalizer()
                || !isRefused(object, controller.getConfiguration().getFinalizerName(), failure)) {
            return;
        }
        Map.Entry<String, ResourceID> key = Map.entry(name, ResourceID.fromResource(object));
        if (writing.add(key)) {
            VirtualThreads.start("finalizer", () -> {
                try {
                    add(object, controller);
                } finally {
                    writing.remove(key);
                }
            });
        }
    }

    /**
     * Whether the API server refused the finalizer because the spec is missing. An object with values of wrong types is left
     * as it is: a write in an older version would drop them, and the object would be used without.
     */
    static boolean isRefused(HasMetadata object, String finalizer, Exception failure) {
        return failure instanceof KubernetesClientException refused
                && refused.getCode() == INVALID
                && !object.isMarkedForDeletion()
                && !object.hasFinalizer(finalizer)
                && object instanceof ReadInPart part
                && MissingFields.lacksWholeSpec(part);
    }

    private static void add(HasMetadata object, Controller<? extends HasMetadata> controller) {
        var configuration = controller.getConfiguration();
        try {
            new AnyVersionWriter(controller.getClient(), configuration.fieldManager())
                    .addFinalizer(object, configuration.getFinalizerName());
        } catch (RuntimeException refused) {
            // JOSDK tries again, and logs its own failure.
            log.debug("The finalizer of {} cannot be added in any version", ResourceID.fromResource(object), refused);
        }
    }
}
