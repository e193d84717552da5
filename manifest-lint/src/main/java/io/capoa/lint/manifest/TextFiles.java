package io.capoa.lint.manifest;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Reads the files that a command line names, up to the length that {@link ManifestReader} takes. */
public final class TextFiles {

    private static final String STANDARD_INPUT = "-";

    private TextFiles() {}

    /**
     * The text of a file.
     *
     * @param name {@code -} for standard input
     * @throws IOException if it cannot be read or is too long; {@link #reason} says why
     */
    public static String read(String name, InputStream standardInput) throws IOException {
        if (name.equals(STANDARD_INPUT)) {
            return text(standardInput);
        }
        try (InputStream file = Files.newInputStream(Path.of(name))) {
            return text(file);
        }
    }

    /** Why a file cannot be read, as the end of a sentence. */
    public static String reason(IOException e) {
        return switch (e) {
            case NoSuchFileException ignored -> "it does not exist";
            case AccessDeniedException ignored -> "permission is denied";
            default -> String.valueOf(e.getMessage());
        };
    }

    private static String text(InputStream file) throws IOException {
        byte[] bytes = file.readNBytes(ManifestReader.CHARACTERS + 1);
        if (bytes.length > ManifestReader.CHARACTERS) {
            throw new IOException("it is longer than %d MiB, which no installation takes: split it"
                    .formatted(ManifestReader.CHARACTERS >> 20));
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
