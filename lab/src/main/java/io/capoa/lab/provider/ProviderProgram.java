package io.capoa.lab.provider;

import io.capoa.lab.pods.Program;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A provider as a node without containers runs it: the same entry point and JVM as in its image. */
public final class ProviderProgram {

    private ProviderProgram() {}

    /** What stands in for the provider's image; needs the jar that {@code mvn package} makes. */
    public static Program of(Provider provider, Path root) {
        Path jar = provider.jar(root);
        return new Program(
                "capoa/" + provider.module(),
                provider.module(),
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "@" + root.resolve("config").resolve("jvm.options"),
                        "-XX:MaxRAM=256m",
                        "-XX:+AutoCreateSharedArchive",
                        "-XX:SharedArchiveFile=" + jar.resolveSibling(provider.module() + ".jsa"),
                        "-Xlog:disable",
                        "-jar",
                        jar.toString()),
                new TreeMap<>(Map.of("MALLOC_ARENA_MAX", "1")),
                List.of("--health-probe-bind-address=:8081", "--metrics-bind-address=:8080"),
                List.of(jar));
    }
}
