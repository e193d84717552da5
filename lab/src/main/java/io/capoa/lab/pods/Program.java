package io.capoa.lab.pods;

import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What runs on this machine in place of an image.
 *
 * @param repository last elements of the image's repository, such as {@code capoa/bootstrap-provider}; whatever registry
 *     and tag stand around them
 * @param name how reports call it
 * @param command stands in for the entry point of the image; {@code $(MEMORY_LIMIT)} in it is the container's limit in
 *     bytes, {@code $(CPU_LIMIT)} that in whole processors, and what has one is left out where there is no limit
 * @param environment variables that the image sets
 * @param defaults flags with the values that the program takes when its arguments do not have them, such as
 *     {@code --webhook-port=9443}: spelled out, their ports and folders become those of this machine
 * @param files without which it cannot run
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

    /** A program that needs nothing but its command, named like the last element of the repository. */
    public static Program of(String repository, List<String> command, String... defaults) {
        return new Program(
                repository,
                repository.substring(repository.lastIndexOf('/') + 1),
                command,
                new TreeMap<>(),
                List.of(defaults),
                List.of());
    }

    /** Whether this stands in for the image. */
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
