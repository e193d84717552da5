package io.capoa.lab.pods;

import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A local program that is run instead of an image.
 *
 * @param repository last elements of the image's repository, such as {@code capoa/bootstrap-provider}; registry and tag
 *     are ignored
 * @param name name in reports
 * @param command replaces the entry point of the image; {@code $(MEMORY_LIMIT)} is the container's limit in bytes,
 *     {@code $(CPU_LIMIT)} its limit in whole processors; elements with a limit that is not set are dropped
 * @param environment variables of the image
 * @param defaults flags with their default values, such as {@code --webhook-port=9443}, added unless set, so that their
 *     ports and folders are translated
 * @param files files that it requires
 */
public record Program(
        String repository,
        String name,
        List<String> command,
        SortedMap<String, String> environment,
        List<String> defaults,
        List<Path> files) {

    public Program {
        command = List.copyOf(command);
        defaults = List.copyOf(defaults);
        files = List.copyOf(files);
        environment = new TreeMap<>(environment);
    }

    /** A program without further requirements, named after the last element of the repository. */
    public static Program of(String repository, List<String> command, String... defaults) {
        return new Program(
                repository,
                repository.substring(repository.lastIndexOf('/') + 1),
                command,
                new TreeMap<>(),
                List.of(defaults),
                List.of());
    }

    /** Whether this program replaces the image. */
    boolean standsFor(String image) {
        String whole = repositoryOf(image);
        return whole.equals(repository) || whole.endsWith("/" + repository);
    }

    /** The reference without digest and tag. */
    private static String repositoryOf(String image) {
        int at = image.indexOf('@');
        String named = at < 0 ? image : image.substring(0, at);
        int colon = named.lastIndexOf(':');
        return colon > named.lastIndexOf('/') ? named.substring(0, colon) : named;
    }
}
