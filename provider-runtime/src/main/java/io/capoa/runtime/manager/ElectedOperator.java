package io.capoa.runtime.manager;

import io.capoa.runtime.leadership.Leadership;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.OperatorException;
import io.javaoperatorsdk.operator.api.config.ConfigurationServiceOverrider;
import io.javaoperatorsdk.operator.processing.Controller;
import java.util.function.Consumer;

/** An operator that fills its caches when it starts, and reconciles from when this replica leads. */
final class ElectedOperator extends Operator {

    private final Leadership leadership;
    private final KubernetesClient leaseClient;

    /** Guards what follows; the start does not hold it while it waits for caches. */
    private final Object state = new Object();

    private boolean started;
    private boolean stopped;

    ElectedOperator(
            Consumer<ConfigurationServiceOverrider> configuration,
            Leadership leadership,
            KubernetesClient leaseClient) {
        super(configuration);
        this.leadership = leadership;
        this.leaseClient = leaseClient;
    }

    @Override
    public synchronized void start() {
        try {
            getConfigurationService().getExecutorServiceManager().start(getConfigurationService());
            forEachController("Start of ", controller -> controller.start(false));
            synchronized (state) {
                started = true;
            }
            leadership.compete(leaseClient, this::startEventProcessing);
        } catch (RuntimeException e) {
            stop();
            throw new OperatorException("Error starting operator", e);
        }
    }

    /** As its superclass: after an incomplete start only threads are stopped, because controllers may block the stop. */
    @Override
    public void stop() {
        synchronized (state) {
            if (started && !stopped) {
                forEachController("Stop of ", Controller::stop);
            }
            stopped = true;
        }
        // It was never started as far as the superclass knows; so this stops the executors alone.
        super.stop();
    }

    /** Not after the stop: what was reconciled then would see caches that are not updated any more. */
    private void startEventProcessing() {
        synchronized (state) {
            if (!stopped) {
                forEachController("Event processing of ", Controller::startEventProcessing);
            }
        }
    }

    private void forEachController(String threadName, Consumer<Controller<?>> task) {
        getConfigurationService()
                .getExecutorServiceManager()
                .boundedExecuteAndWaitForAllToComplete(
                        getRegisteredControllers().stream(),
                        registered -> {
                            task.accept((Controller<?>) registered);
                            return null;
                        },
                        registered -> threadName + registered.getConfiguration().getName());
    }
}
