package io.capoa.bootstrap.ignition;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A host in a folder: takes the files of an Ignition configuration and runs its scripts against a fake config drive. */
final class HostFiles {

    /** How a script ended and what it said. */
    record Run(int exitCode, String output) {}

    private final Path root;
    private final Path drive;
    private final Path commands;

    HostFiles(Path folder) {
        this.root = folder.resolve("root");
        this.drive = folder.resolve("drive");
        this.commands = folder.resolve("bin");
        mkdirs(root);
        mkdirs(drive);
        mkdirs(commands);
    }

    /** Writes what Ignition would write at first boot. */
    HostFiles boot(String ignition) {
        Ignition.parse(ignition, "test").files().forEach(this::write);
        return this;
    }

    /** Puts metadata on the config drive. */
    HostFiles metadata(String json) {
        return file(drive.resolve("openstack/latest/meta_data.json"), json);
    }

    /** Puts a command on the host's PATH that appends its name and arguments to {@code /calls}, then runs the body. */
    HostFiles command(String name, String body) {
        Path path = commands.resolve(name);
        file(path, "#!/bin/bash\necho \"" + name + " $*\" >>\"$CAPOA_ROOT/calls\"\n" + body + "\n");
        executable(path);
        return this;
    }

    Run run(String script, Map<String, String> environment) {
        try {
            ProcessBuilder builder =
                    new ProcessBuilder("bash", root.resolve(script.substring(1)).toString());
            builder.environment().put("CAPOA_ROOT", root.toString());
            builder.environment().put("CAPOA_CONFIG_DRIVE", drive.toString());
            builder.environment().put("PATH", commands + ":" + System.getenv("PATH"));
            builder.environment().putAll(environment);
            Process process = builder.redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(Duration.ofSeconds(30).toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IllegalStateException(script + " hangs");
            }
            return new Run(process.exitValue(), output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    Run run(String script) {
        return run(script, Map.of());
    }

    /** Runs a script and ends it after a moment, with all that it has started, as a reboot does. */
    void cut(String script, Duration after) {
        try {
            ProcessBuilder builder =
                    new ProcessBuilder("bash", root.resolve(script.substring(1)).toString());
            builder.environment().put("CAPOA_ROOT", root.toString());
            builder.environment().put("CAPOA_CONFIG_DRIVE", drive.toString());
            builder.environment().put("PATH", commands + ":" + System.getenv("PATH"));
            Process process = builder.redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!process.waitFor(after.toMillis(), TimeUnit.MILLISECONDS)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
                int unused = process.waitFor();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    void remove(String path) {
        try {
            Files.delete(root.resolve(path.substring(1)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    boolean exists(String path) {
        return Files.exists(root.resolve(path.substring(1)));
    }

    String read(String path) {
        try {
            return Files.readString(root.resolve(path.substring(1)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    HostFiles write(String path, String content) {
        return file(root.resolve(path.substring(1)), content);
    }

    private void write(JsonNode file) {
        String source = file.path("contents").path("source").asText();
        Path path = root.resolve(file.path("path").asText().substring(1));
        file(
                path,
                new String(
                        Base64.getDecoder().decode(source.substring(source.indexOf(',') + 1)), StandardCharsets.UTF_8));
        if ((file.path("mode").asInt() & 0100) != 0) {
            executable(path);
        }
    }

    private HostFiles file(Path path, String content) {
        try {
            mkdirs(java.util.Objects.requireNonNull(path.getParent()));
            Files.writeString(path, content);
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void executable(Path path) {
        try {
            Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwx------"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void mkdirs(Path folder) {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
