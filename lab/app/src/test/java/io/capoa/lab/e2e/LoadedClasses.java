package io.capoa.lab.e2e;

import io.capoa.lab.pods.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The classes that a program loads, and where from. */
final class LoadedClasses {

    private LoadedClasses() {}

    /** The program, which lists the classes that it loads in a file. */
    static Program logged(Program program, Path file) {
        List<String> command = new ArrayList<>(program.command());
        command.add(command.indexOf("-jar"), "-Xlog:class+load=info:file=" + file + "::filecount=0");
        return new Program(
                program.repository(),
                program.name(),
                command,
                program.environment(),
                program.defaults(),
                program.files());
    }

    /** How many of them come from the ahead-of-time cache, in percent. */
    static long cachedPercent(Path file) throws IOException {
        List<String> loaded = Files.readAllLines(file).stream()
                .filter(line -> line.contains(" source: "))
                .toList();
        long cached = loaded.stream()
                .filter(line -> line.contains("source: shared objects file"))
                .count();
        System.err.printf("%s: %d classes, %d of them from the cache%n", file.getFileName(), loaded.size(), cached);
        return cached * 100 / loaded.size();
    }
}
