package io.capoa.controlplane.extension;

import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs what the updates of Machines wait for, whenever it changes. */
final class UpdateLog {

    private static final Logger LOG = LoggerFactory.getLogger(UpdateLog.class);

    private static final int MOST = 1_000;

    private final Map<String, String> last = new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
            return size() > MOST;
        }
    };

    /** Logs a message that is another than the last of the Machine; empty means that its update is done. */
    synchronized void changed(String machine, String message) {
        String before = message.isEmpty() ? last.remove(machine) : last.put(machine, message);
        if (message.isEmpty() && before != null) {
            LOG.info("Machine {}: the update is done", machine);
        } else if (!message.isEmpty() && !message.equals(before)) {
            LOG.info("{}", message);
        }
    }
}
