package io.capoa.runtime.manager;

import java.util.Optional;

/** What a provider adds to the manager: reconcilers, webhooks and their dependencies. */
@FunctionalInterface
public interface ProviderSetup {

    /**
     * Called once, before anything is watched. An exception ends the process with exit code 1.
     *
     * @param registrar takes the reconcilers; valid as long as the process lives
     */
    void setUp(Registrar registrar) throws Exception;

    /**
     * Flags of this provider alone, besides those that all managers have.
     *
     * @return an object with picocli's {@code @Option} fields, filled before {@link #setUp} is called
     */
    default Optional<Object> options() {
        return Optional.empty();
    }
}
