package io.capoa.lab.clusterctl;

import io.capoa.lab.cluster.ClusterException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Exit code and output of a command.
 *
 * @param command program and arguments, for messages
 * @param code exit code
 * @param text standard output
 * @param messages standard error
 */
public record Output(List<String> command, int code, String text, String messages) {

    /** Runs the command with additional variables; kills it after the time limit. */
    public static Output of(List<String> command, Map<String, String> environment, Duration limit) {
        try {
            Path text = Files.createTempFile("capoa-", ".out");
            Path messages = Files.createTempFile("capoa-", ".err");
            try {
                ProcessBuilder builder = new ProcessBuilder(command)
                        .redirectOutput(text.toFile())
                        .redirectError(messages.toFile());
                builder.environment().putAll(environment);
                Process process = builder.start();
                process.getOutputStream().close();
                await(process, command, limit, messages);
                return new Output(
                        List.copyOf(command), process.exitValue(), Files.readString(text), Files.readString(messages));
            } finally {
                Files.deleteIfExists(text);
                Files.deleteIfExists(messages);
            }
        } catch (IOException e) {
            throw new ClusterException("Cannot run %s: %s".formatted(command.getFirst(), e.getMessage()), e);
        }
    }

    private static void await(Process process, List<String> command, Duration limit, Path messages) throws IOException {
        try {
            if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new ClusterException("%s did not end within %d s. Its output:%n%s"
                        .formatted(
                                String.join(" ", command),
                                limit.toSeconds(),
                                Files.readString(messages, StandardCharsets.UTF_8)));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ClusterException("Interrupted while waiting for " + command.getFirst(), e);
        } finally {
            process.destroyForcibly();
        }
    }

    /**
     * This output, if the command succeeded.
     *
     * @throws ClusterException with the output, if not
     */
    public Output orThrow() {
        if (code != 0) {
            throw new ClusterException("%s ended with exit code %d. Its output:%n%s%s"
                    .formatted(String.join(" ", command), code, text, messages));
        }
        return this;
    }

    /** Both outputs, to search in either. */
    public String all() {
        return text + messages;
    }
}
