package io.capoa.lint.manifest;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads the files that a command line names, up to the length that {@link ManifestReader} takes. */
public final class TextFiles {

    private static final String STANDARD_INPUT = "-";

    private TextFiles() {}

    /**
     * The files, in order.
     *
     * @param names {@code -} for standard input
     * @throws IOException if one cannot be read or is too long; the message names it and says why
     */
    public static List<ManifestFile> read(List<String> names, InputStream standardInput) throws IOException {
        List<ManifestFile> files = new ArrayList<>();
        for (String name : names) {
            try {
                files.add(new ManifestFile(
                        name, name.equals(STANDARD_INPUT) ? text(standardInput) : text(Path.of(name))));
            } catch (IOException e) {
                throw new IOException("File %s cannot be read: %s".formatted(name, reason(e)), e);
            }
        }
        return files;
    }

    private static String reason(IOException e) {
        return switch (e) {
            case NoSuchFileException ignored -> "it does not exist";
            case AccessDeniedException ignored -> "permission is denied";
            default -> String.valueOf(e.getMessage());
        };
    }

    private static String text(Path path) throws IOException {
        try (InputStream file = Files.newInputStream(path)) {
            return text(file);
        }
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
