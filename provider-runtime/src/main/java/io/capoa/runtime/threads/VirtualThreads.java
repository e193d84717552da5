package io.capoa.runtime.threads;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;

/**
 * The virtual threads of this process, listed while they run. Java lists only platform threads; the JVM's own dump of
 * virtual ones can crash it (JDK-8364343).
 */
public final class VirtualThreads {

    private static final Set<Thread> RUNNING = ConcurrentHashMap.newKeySet();

    private VirtualThreads() {}

    /** Threads with a name that ends in a number from 0, such as {@code webhook-0}. */
    public static ThreadFactory numbered(String prefix) {
        ThreadFactory threads = Thread.ofVirtual().name(prefix, 0).factory();
        return task -> threads.newThread(listed(task));
    }

    /** One numbered thread for each task; to be closed if it has an end. */
    public static ExecutorService perTask(String prefix) {
        return Executors.newThreadPerTaskExecutor(numbered(prefix));
    }

    /** Starts a thread. */
    public static Thread start(String name, Runnable task) {
        return Thread.ofVirtual().name(name).start(listed(task));
    }

    /** A thread to start later. */
    public static Thread unstarted(String name, Runnable task) {
        return Thread.ofVirtual().name(name).unstarted(listed(task));
    }

    /** Those that have begun and not ended. */
    public static Set<Thread> running() {
        return Set.copyOf(RUNNING);
    }

    private static Runnable listed(Runnable task) {
        return () -> {
            Thread thread = Thread.currentThread();
            RUNNING.add(thread);
            try {
                task.run();
            } finally {
                RUNNING.remove(thread);
            }
        };
    }
}
