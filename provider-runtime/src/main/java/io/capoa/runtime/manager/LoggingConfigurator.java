package io.capoa.runtime.manager;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.core.spi.ContextAwareBase;

/** Found by logback through the service loader, so that the first logger of a manager is set up already. */
public final class LoggingConfigurator extends ContextAwareBase implements Configurator {

    @Override
    public ExecutionStatus configure(LoggerContext context) {
        return Logging.apply(context) ? ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY : ExecutionStatus.INVOKE_NEXT_IF_ANY;
    }
}
