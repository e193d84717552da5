package io.capoa.runtime.manager;

import java.util.concurrent.ConcurrentLinkedDeque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Closes resources in reverse order; a failure does not stop the others. */
final class Closers {

    private static final Logger log = LoggerFactory.getLogger(Closers.class);

    private final ConcurrentLinkedDeque<AutoCloseable> open = new ConcurrentLinkedDeque<>();

    void add(AutoCloseable resource) {
        open.push(resource);
    }

    void closeAll() {
        for (var resource = open.poll(); resource != null; resource = open.poll()) {
            try {
                resource.close();
            } catch (Exception e) {
                log.warn("Closing {} failed", resource, e);
            }
        }
    }
}
