package io.capoa.runtime.manager;

/** Entry point of a provider's process, from command line to exit code. */
public final class Manager {

    private Manager() {}

    /**
     * Runs a manager until it is stopped. The whole of a provider's {@code main} is
     * {@code System.exit(Manager.run(description, setup, args))}; the call returns on failure only, a signal ends the
     * process from within.
     *
     * @return 0 after a planned stop, {@code --help} or {@code --version}; 1 after a failure; 2 when the command line
     *     is wrong
     */
    public static int run(ManagerDescription description, ProviderSetup setup, String... args) {
        return new ManagerCommand(description, setup).execute(args);
    }

    /**
     * Starts a manager within a process that goes on without it. It lacks only what concerns the process: logging, signals,
     * meters of the JVM, the size of the heap. Not for leader election, whose loss ends the process.
     *
     * @return when the caches are filled, or after ten seconds
     * @throws IllegalArgumentException when the command line is wrong
     */
    public static EmbeddedManager start(ManagerDescription description, ProviderSetup setup, String... args)
            throws Exception {
        return new ManagerCommand(description, setup).start(args);
    }
}
