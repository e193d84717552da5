package io.capoa.controlplane.release;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.capoa.api.untrusted.UntrustedContent;
import java.io.IOException;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The file in a release image that lists the release's component images: an ImageStream in JSON or YAML.
 *
 * @param version name of the ImageStream, which is the release's version; empty if it has none
 * @param kubernetesVersion of the first component that says {@code kubernetes=…} in the annotation
 *     {@code io.openshift.build.versions}, as it stands there
 */
record ImageReferences(String version, Optional<String> kubernetesVersion) {

    /** Where the file lies in the image, without a leading slash. */
    static final String PATH = "release-manifests/image-references";

    private static final String VERSIONS = "io.openshift.build.versions";
    private static final JsonFactory JSON = UntrustedContent.json().getFactory();
    private static final JsonFactory YAML = UntrustedContent.yaml().getFactory();

    /** What versions are made of; they become annotations, labels of Machines and fields of the status. */
    private static final Pattern VERSION = Pattern.compile("[0-9A-Za-z][0-9A-Za-z.+_-]{0,127}");

    /** Reads one field, or skips it: the parser is at its value, and is at the value's end afterwards. */
    @FunctionalInterface
    private interface Field {
        void read(String name, JsonParser parser) throws IOException;
    }

    /**
     * Reads the file, value by value: nothing is kept but the versions.
     *
     * @throws IOException it is neither JSON nor YAML, or what it calls a version is none; the message says which
     */
    static ImageReferences parse(byte[] file) throws IOException {
        Versions found = new Versions();
        try (JsonParser parser = (isJson(file) ? JSON : YAML).createParser(file)) {
            parser.nextToken();
            object(parser, found::stream);
        } catch (RuntimeException e) {
            throw new IOException("it is not YAML", e);
        }
        return new ImageReferences(
                version(found.name, "metadata.name").orElse(""), version(found.kubernetes, "kubernetes="));
    }

    private static boolean isJson(byte[] file) {
        int i = 0;
        while (i < file.length && Character.isWhitespace(file[i])) {
            i++;
        }
        return i < file.length && file[i] == '{';
    }

    private static Optional<String> version(@Nullable String text, String where) throws IOException {
        if (text != null && !VERSION.matcher(text).matches()) {
            throw new IOException(
                    "%s says \"%s\", which is no version".formatted(where, UntrustedContent.quoted(text)));
        }
        return Optional.ofNullable(text);
    }

    private static boolean isText(JsonParser parser) {
        JsonToken token = parser.currentToken();
        return token != null && token.isScalarValue() && token != JsonToken.VALUE_NULL;
    }

    private static void object(JsonParser parser, Field field) throws IOException {
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            JsonParser unused = parser.skipChildren();
            return;
        }
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            parser.nextToken();
            field.read(name, parser);
        }
    }

    /** What has been found so far. */
    private static final class Versions {

        private @Nullable String name;
        private @Nullable String kubernetes;

        void stream(String field, JsonParser parser) throws IOException {
            switch (field) {
                case "metadata" -> object(parser, this::metadata);
                case "spec" -> object(parser, this::spec);
                default -> skip(parser);
            }
        }

        private void metadata(String field, JsonParser parser) throws IOException {
            if (field.equals("name") && isText(parser)) {
                name = parser.getText().isEmpty() ? null : parser.getText();
            } else {
                skip(parser);
            }
        }

        private void spec(String field, JsonParser parser) throws IOException {
            if (!field.equals("tags") || parser.currentToken() != JsonToken.START_ARRAY) {
                skip(parser);
                return;
            }
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                if (parser.currentToken() == null) {
                    throw new IOException("it ends in the middle");
                }
                object(parser, this::tag);
            }
        }

        private void tag(String field, JsonParser parser) throws IOException {
            if (field.equals("annotations")) {
                object(parser, this::annotation);
            } else {
                skip(parser);
            }
        }

        private void annotation(String field, JsonParser parser) throws IOException {
            if (!field.equals(VERSIONS) || !isText(parser)) {
                skip(parser);
            } else if (kubernetes == null) {
                kubernetes = kubernetes(parser.getText());
            }
        }

        private static @Nullable String kubernetes(String versions) {
            for (String version : versions.split(",", -1)) {
                String[] parts = version.split("=", -1);
                if (parts.length == 2 && parts[0].strip().equals("kubernetes") && !parts[1].isBlank()) {
                    return parts[1].strip();
                }
            }
            return null;
        }

        private static void skip(JsonParser parser) throws IOException {
            JsonParser unused = parser.skipChildren();
        }
    }
}
