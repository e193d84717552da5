package io.capoa.lab.cluster;

import org.awaitility.Awaitility;
import org.awaitility.pollinterval.IterativePollInterval;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Makes {@link PollPause} the pauses of {@link Awaitility#await()} where a test says nothing else. JUnit registers it by
 * itself.
 */
public final class GrowingPolls implements BeforeAllCallback {

    @Override
    public void beforeAll(ExtensionContext context) {
        Awaitility.setDefaultPollInterval(IterativePollInterval.iterative(PollPause::after, PollPause.FIRST));
    }
}
