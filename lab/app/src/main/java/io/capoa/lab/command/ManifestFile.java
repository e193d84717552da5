package io.capoa.lab.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;

/** Reads the objects of a file of YAML or JSON; what cannot be read is named by file and line, as compilers do. */
final class ManifestFile {

    /**
     * A document of the file.
     *
     * @param line of its first character, from 1
     */
    private record Document(int line, String text) {

        /** Line of its first object: neither blank nor a comment. */
        int contentLine() {
            List<String> lines = text.lines().toList();
            for (int i = 0; i < lines.size(); i++) {
                if (!isBlank(lines.get(i))) {
                    return line + i;
                }
            }
            return line;
        }

        boolean isEmpty() {
            return text.lines().allMatch(Document::isBlank);
        }

        private static boolean isBlank(String line) {
            return line.isBlank() || line.stripLeading().startsWith("#");
        }
    }

    private ManifestFile() {}

    /**
     * All objects of the file, at least one; the items of a List instead of it.
     *
     * @throws InvalidInput if there is none, or one cannot be read
     */
    static List<HasMetadata> read(Path file) {
        List<HasMetadata> objects = documents(text(file)).stream()
                .filter(document -> !document.isEmpty())
                .flatMap(document -> objects(file, document).stream())
                .toList();
        if (objects.isEmpty()) {
            throw new InvalidInput("%s contains no Kubernetes object.".formatted(file), null);
        }
        return objects;
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (NoSuchFileException e) {
            throw new InvalidInput("There is no file %s.".formatted(file), e);
        } catch (CharacterCodingException e) {
            throw new InvalidInput("%s is not text in UTF-8.".formatted(file), e);
        } catch (IOException e) {
            String reason = Files.isDirectory(file) ? "it is a folder" : e.getMessage();
            throw new InvalidInput("Cannot read %s: %s.".formatted(file, reason), e);
        }
    }

    private static List<Document> documents(String text) {
        List<Document> documents = new ArrayList<>();
        StringBuilder current = new StringBuilder();
        int begin = 1;
        int number = 0;
        for (String line : text.lines().toList()) {
            number++;
            if (line.equals("---") || line.startsWith("--- ")) {
                documents.add(new Document(begin, current.toString()));
                current = new StringBuilder();
                begin = number;
                // The text behind the marker belongs to the document.
                line = line.substring("---".length());
            }
            current.append(line).append('\n');
        }
        documents.add(new Document(begin, current.toString()));
        return documents;
    }

    private static List<HasMetadata> objects(Path file, Document document) {
        Object content;
        try {
            content = new KubernetesSerialization().unmarshal(document.text());
        } catch (RuntimeException e) {
            throw unreadable(file, document, e);
        }
        List<HasMetadata> objects = objects(content)
                .orElseThrow(() -> wrong(
                        file, document.contentLine(), "this is no Kubernetes object: it needs apiVersion and kind"));
        for (HasMetadata object : objects) {
            if (object.getMetadata() == null || object.getMetadata().getName() == null) {
                throw wrong(file, document.contentLine(), object.getKind() + " has no metadata.name");
            }
        }
        return objects;
    }

    private static Optional<List<HasMetadata>> objects(@Nullable Object content) {
        if (content instanceof HasMetadata object) {
            return Optional.of(List.of(object));
        }
        return content instanceof KubernetesResourceList<?> list
                ? Optional.of(
                        list.getItems().stream().map(HasMetadata.class::cast).toList())
                : Optional.empty();
    }

    private static InvalidInput unreadable(Path file, Document document, RuntimeException failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof MarkedYamlEngineException yaml) {
                int line = yaml.getProblemMark().map(mark -> mark.getLine()).orElse(0);
                return wrong(file, document.line() + line, yaml.getProblem());
            }
            if (cause instanceof JsonMappingException mapping) {
                String path = mapping.getPath().stream()
                        .map(reference -> reference.getFieldName() == null
                                ? String.valueOf(reference.getIndex())
                                : reference.getFieldName())
                        .collect(Collectors.joining("."));
                return wrong(
                        file,
                        document.contentLine(),
                        Stream.of(path, mapping.getOriginalMessage())
                                .filter(part -> !part.isEmpty())
                                .collect(Collectors.joining(": ")));
            }
            if (cause instanceof JsonProcessingException json) {
                int line = json.getLocation() == null ? 1 : json.getLocation().getLineNr();
                return wrong(file, document.line() + line - 1, json.getOriginalMessage());
            }
        }
        return wrong(
                file,
                document.contentLine(),
                Objects.requireNonNullElse(failure.getMessage(), failure.toString())
                        .lines()
                        .findFirst()
                        .orElse(""));
    }

    private static InvalidInput wrong(Path file, int line, String problem) {
        return new InvalidInput("%s:%d: %s".formatted(file, line, problem), null);
    }
}
