package io.capoa.runtime.manager;

/** What a provider adds to the manager: its reconcilers and whatever they stand on. */
@FunctionalInterface
public interface ProviderSetup {

    /**
     * Called once, before anything is watched. An exception ends the process with exit code 1.
     *
     * @param registrar takes the reconcilers; valid as long as the process lives
     */
    void setUp(Registrar registrar) throws Exception;
}
