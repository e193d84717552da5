package io.capoa.lab.e2e;

import io.capoa.lab.cluster.ProjectRoot;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Updates the output of {@code clusterctl describe} in the documents, on request. */
final class Described {

    private static final Path DOCUMENT = Path.of("docs", "describe.md");

    private Described() {}

    /** With {@code -Dcapoa.golden=write} replaces the block of that name in {@code docs/describe.md}. */
    static void keep(String name, String text) {
        if (!"write".equals(System.getProperty("capoa.golden"))) {
            return;
        }
        Path file = ProjectRoot.find().resolve(DOCUMENT);
        try {
            String before = Files.readString(file);
            String mark = "<!-- " + name + " -->\n```\n";
            int start = before.indexOf(mark) + mark.length();
            int end = before.indexOf("```", start);
            if (start < mark.length() || end < 0) {
                throw new IllegalStateException("%s has no block %s".formatted(DOCUMENT, name));
            }
            String lines = text.lines().map(String::stripTrailing).reduce("", (all, line) -> all + line + "\n");
            Files.writeString(file, before.substring(0, start) + lines + before.substring(end));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
