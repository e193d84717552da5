package io.capoa.lab.cluster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A kubectl on the {@code PATH} that can render this project's manifests. It needs no skew to the API server: rendering
 * asks no server.
 */
final class InstalledKubectl {

    /** First minor version with kustomize 5. */
    private static final int FIRST_MINOR = 27;

    private static final Pattern MINOR = Pattern.compile("\"minor\":\\s*\"(\\d+)");

    private InstalledKubectl() {}

    static Optional<Path> find(@Nullable String path) {
        return SupervisorScript.onPath("kubectl", path).filter(kubectl -> minor(kubectl) >= FIRST_MINOR);
    }

    private static int minor(Path kubectl) {
        try {
            Process process = new ProcessBuilder(kubectl.toString(), "version", "--client", "-o", "json")
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            process.getOutputStream().close();
            Matcher minor = MINOR.matcher(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
            return minor.find() ? Integer.parseInt(minor.group(1)) : 0;
        } catch (IOException e) {
            return 0;
        }
    }
}
