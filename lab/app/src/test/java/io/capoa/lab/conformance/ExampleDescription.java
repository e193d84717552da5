package io.capoa.lab.conformance;

import io.capoa.lab.cluster.ProjectRoot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The description of {@link ExampleProvider} for the conformance suite. */
public final class ExampleDescription {

    private ExampleDescription() {}

    /**
     * Writes the description, and the manifest of a cluster.
     *
     * @param faults of its workers
     * @param network spec of the cluster's infrastructure
     */
    public static Path write(Path folder, List<String> faults, String network) throws IOException {
        Path root = ProjectRoot.find();
        Files.writeString(
                folder.resolve("cluster.yaml"),
                Files.readString(root.resolve("config/samples/external.yaml"))
                        .replace("infrastructure.lab.capoa.io/v1beta1", "infrastructure.example.com/v1")
                        .replace("infrastructure.lab.capoa.io", "infrastructure.example.com")
                        .replace("LabCloud", "Example")
                        .replaceFirst("(?m)^  region: lab-north$", "  " + network)
                        .replace("instanceType: standard", "faults: " + faults));
        return Files.writeString(folder.resolve("provider.yaml"), """
                name: example
                definitions: [%1$s/definitions.yaml]
                manifests: [%1$s/roles.yaml]
                cluster: cluster.yaml
                command: [%2$s/bin/java, -XX:TieredStopAtLevel=1, -XX:+UseSerialGC, -cp, "%3$s", %4$s, cloud]
                instances: [sh, -c, "ls cloud | sed s,^,example://a/,"]
                timeoutSeconds: 120
                """.formatted(
                        root.resolve("lab/app/src/test/resources/conformance"),
                        System.getProperty("java.home"),
                        System.getProperty("java.class.path"),
                        ExampleProvider.class.getName()));
    }
}
