package io.capoa.lab.pods;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

/** The known programs by image. */
public final class Programs {

    private final List<Program> known = new CopyOnWriteArrayList<>();

    public Programs(Collection<Program> programs) {
        known.addAll(programs);
    }

    /** Adds a program, replacing another one of the same image. */
    void add(Program program) {
        known.add(0, program);
    }

    /** The program of an image. */
    Optional<Program> find(String image) {
        return known.stream().filter(program -> program.standsFor(image)).findFirst();
    }

    /** Why an image cannot run here; empty if it can. */
    Optional<String> problem(String image) {
        Optional<Program> program = find(image);
        if (program.isEmpty()) {
            return Optional.of("no program for image %s: this node knows %s"
                    .formatted(
                            image,
                            known.stream().map(Program::repository).sorted().collect(Collectors.joining(", "))));
        }
        Optional<Path> missing = program.get().files().stream()
                .filter(file -> !Files.exists(file))
                .findFirst();
        return missing.map(
                file -> "image %s is not built: there is no %s. Run `mvn package` first.".formatted(image, file));
    }
}
