package io.capoa.runtime.manager;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells a pod's status why its manager ends, in {@code lastState.terminated.message}. The kubelet makes the file for each
 * start of a container; outside of one nothing is written.
 */
final class TerminationMessage {

    /** Where the file is: the {@code terminationMessagePath} of the container, if it is not the default. */
    static final String VARIABLE = "TERMINATION_MESSAGE_PATH";

    private static final String DEFAULT_PATH = "/dev/termination-log";

    private static final Logger LOG = LoggerFactory.getLogger(TerminationMessage.class);

    private TerminationMessage() {}

    /** Replaces the message by a sentence for people. */
    static void write(String reason) {
        write(Path.of(Objects.requireNonNullElse(System.getenv(VARIABLE), DEFAULT_PATH)), reason);
    }

    static void write(Path file, String reason) {
        if (!Files.isRegularFile(file)) {
            return;
        }
        try {
            var unused = Files.writeString(
                    file, reason + "\n", StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
        } catch (IOException e) {
            LOG.debug("Cannot write {}", file, e);
        }
    }
}
