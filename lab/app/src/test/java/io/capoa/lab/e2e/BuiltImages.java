package io.capoa.lab.e2e;

import io.capoa.lab.cluster.ProjectRoot;
import io.capoa.lab.image.Images;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Injects the images of this checkout, which are built once for all suites of a run. */
final class BuiltImages implements ParameterResolver {

    private static final ExtensionContext.Namespace STORE = ExtensionContext.Namespace.create(BuiltImages.class);

    /** Deleted at the end of the run. */
    private record Built(Images images) implements AutoCloseable {

        static Built create() {
            try {
                Path folder = Files.createTempDirectory("capoa-images-");
                return new Built(Images.build(ProjectRoot.find(), folder, RealLab.VERSION, "--no-build"));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void close() throws IOException {
            try (Stream<Path> files = Files.walk(images.folder())) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == Images.class;
    }

    @Override
    public Images resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return context.getRoot()
                .getStore(STORE)
                .computeIfAbsent(Built.class, key -> Built.create(), Built.class)
                .images();
    }
}
