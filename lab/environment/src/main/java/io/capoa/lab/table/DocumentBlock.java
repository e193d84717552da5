package io.capoa.lab.table;

import io.capoa.lab.cluster.ProjectRoot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A fenced block of a document, which a test keeps: the one after the line {@code <!-- name -->}.
 *
 * @param document path below the project
 */
public record DocumentBlock(Path document, String name) {

    /** What a test says of a block that differs. */
    public static final String REWRITE =
            "if the change is meant, rewrite the document: see \"Generated files\" in docs/development.md";

    /** The text of the block; with {@code -Dcapoa.golden=write} replaces it first. */
    public String committed(String generated) throws IOException {
        if ("write".equals(System.getProperty("capoa.golden"))) {
            replace(generated);
        }
        String text = Files.readString(file());
        return text.substring(start(text), end(text));
    }

    /** Replaces the text of the block. */
    public void replace(String generated) throws IOException {
        String before = Files.readString(file());
        String lines = generated.lines().map(String::stripTrailing).reduce("", (all, line) -> all + line + "\n");
        Files.writeString(file(), before.substring(0, start(before)) + lines + before.substring(end(before)));
    }

    private Path file() {
        return ProjectRoot.find().resolve(document);
    }

    private int start(String text) {
        String mark = "<!-- " + name + " -->\n```\n";
        int at = text.indexOf(mark);
        if (at < 0) {
            throw new IllegalStateException("%s has no block %s".formatted(document, name));
        }
        return at + mark.length();
    }

    private int end(String text) {
        int end = text.indexOf("```", start(text));
        if (end < 0) {
            throw new IllegalStateException("block %s of %s has no end".formatted(name, document));
        }
        return end;
    }
}
