package io.capoa.lab.e2e;

import io.capoa.lab.table.DocumentBlock;
import java.io.IOException;
import java.io.UncheckedIOException;
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
        try {
            new DocumentBlock(DOCUMENT, name).replace(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
