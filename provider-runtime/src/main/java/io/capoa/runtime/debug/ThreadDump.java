package io.capoa.runtime.debug;

import io.capoa.runtime.health.Endpoint.Response;
import io.capoa.runtime.threads.VirtualThreads;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;

/** The stacks of all platform threads, and of the virtual threads of {@link VirtualThreads}. */
public final class ThreadDump {

    private ThreadDump() {}

    /** The dump as text, in the order of the threads' identifiers. */
    public static Response answer() {
        Map<Thread, StackTraceElement[]> stacks = new TreeMap<>(Comparator.comparingLong(Thread::threadId));
        stacks.putAll(Thread.getAllStackTraces());
        VirtualThreads.running().forEach(thread -> stacks.put(thread, thread.getStackTrace()));
        StringBuilder text = new StringBuilder();
        stacks.forEach((thread, stack) -> {
            text.append("#%d \"%s\" %s%s\n"
                    .formatted(
                            thread.threadId(),
                            thread.getName(),
                            thread.isVirtual() ? "virtual " : "",
                            thread.getState()));
            Arrays.stream(stack)
                    .forEach(frame -> text.append("      ").append(frame).append('\n'));
            text.append('\n');
        });
        return Response.text(200, text.toString());
    }
}
