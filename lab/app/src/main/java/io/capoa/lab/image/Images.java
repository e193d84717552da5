package io.capoa.lab.image;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.capoa.lab.cluster.ClusterException;
import io.capoa.lab.clusterctl.Output;
import io.capoa.lab.pods.Program;
import io.capoa.lab.provider.Provider;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * The images of both providers, built without a container engine and unpacked; their managers run under bubblewrap.
 *
 * @param root of the checkout
 * @param folder with the archives and, by module, the unpacked images
 * @param version tag of the images
 */
public record Images(Path root, Path folder, String version) {

    private static final Duration LONGEST_BUILD = Duration.ofMinutes(10);
    private static final Duration LONGEST_UNPACKING = Duration.ofMinutes(2);
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Why no image can run on this machine; empty if one can. */
    public static Optional<String> obstacle() {
        List<String> trial = List.of("bwrap", "--unshare-user", "--uid", "65532", "--ro-bind", "/", "/", "true");
        try {
            Output output = Output.of(trial, Map.of(), Duration.ofSeconds(10));
            return output.code() == 0
                    ? Optional.empty()
                    : Optional.of("bubblewrap cannot isolate a program here: "
                            + output.messages().strip());
        } catch (ClusterException e) {
            return Optional.of("bubblewrap is not installed (Debian: package bubblewrap)");
        }
    }

    /**
     * Builds and unpacks both images for the architecture of this machine.
     *
     * @param options of {@code config/image/oci}, besides the target folder
     * @throws ClusterException with the output of the command that failed
     */
    public static Images build(Path root, Path folder, String version, String... options) {
        List<String> build = new ArrayList<>(
                List.of(root.resolve("config/image/oci").toString(), "--version", version, "--out", folder.toString()));
        build.addAll(List.of(options));
        Output.of(build, Map.of(), LONGEST_BUILD).orThrow();
        Images images = new Images(root, folder, version);
        for (Provider provider : Provider.values()) {
            images.unpack(provider);
        }
        return images;
    }

    /**
     * Unpacks the archive of a provider, with the digests verified.
     *
     * @throws ClusterException if it is damaged
     */
    public void unpack(Provider provider) {
        Output.of(
                        List.of(
                                root.resolve("config/image/unpack").toString(),
                                archive(provider).toString(),
                                architecture(),
                                unpacked(provider).toString()),
                        Map.of(),
                        LONGEST_UNPACKING)
                .orThrow();
    }

    /** In the terms of images. */
    private static String architecture() {
        String name = System.getProperty("os.arch");
        return name.equals("aarch64") ? "arm64" : name;
    }

    /** The OCI archive of a provider. */
    public Path archive(Provider provider) {
        return folder.resolve(provider.module() + "-" + version + ".oci.tar");
    }

    /** The folder with the root file system and the configuration of a provider's image. */
    public Path unpacked(Provider provider) {
        return folder.resolve(provider.module());
    }

    /** The configuration of a provider's image, as containers get it. */
    public JsonNode configuration(Provider provider) {
        Path file = unpacked(provider).resolve("config.json");
        try {
            return JSON.readTree(file.toFile()).path("config");
        } catch (IOException e) {
            throw new ClusterException("Cannot read the image's configuration %s: %s".formatted(file, e), e);
        }
    }

    /**
     * The program for a provider's image: its entry point on its own root file system.
     *
     * @param writable folder with the files of the pods, which the program finds at the same path
     */
    public Program program(Provider provider, Path writable) {
        List<String> entryPoint = StreamSupport.stream(
                        configuration(provider).path("Entrypoint").spliterator(), false)
                .map(JsonNode::asText)
                .toList();
        List<String> command = new ArrayList<>(List.of(
                root.resolve("lab").resolve("sandbox").toString(),
                unpacked(provider).resolve("rootfs").toString(),
                writable.toAbsolutePath().toString()));
        command.add(entryPoint.getFirst());
        command.add(entryPoint.get(1));
        // After the options file, whose last value counts; replaces the container limits that a JVM detects.
        Stream.of("-XX:MaxRAM=$(MEMORY_LIMIT)", "-XX:ActiveProcessorCount=$(CPU_LIMIT)")
                .forEach(command::add);
        command.addAll(entryPoint.subList(2, entryPoint.size()));
        Program build = provider.program(root);
        return new Program(
                build.repository(),
                build.name(),
                command,
                build.environment(),
                build.defaults(),
                List.of(),
                entryPoint.getFirst());
    }
}
