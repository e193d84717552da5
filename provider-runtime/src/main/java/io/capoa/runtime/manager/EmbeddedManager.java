package io.capoa.runtime.manager;

/** A running manager within a process of others. */
@FunctionalInterface
public interface EmbeddedManager extends AutoCloseable {

    /** Stops it as a signal does: running reconciles are finished first. */
    @Override
    void close();
}
