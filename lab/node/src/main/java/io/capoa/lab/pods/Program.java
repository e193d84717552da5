package io.capoa.lab.pods;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A local program that is run instead of an image.
 *
 * @param repository last elements of the image's repository, such as {@code capoa/bootstrap-provider}; registry and tag
 *     are ignored
 * @param name name in reports
 * @param command replaces the entry point of the image; {@code $(MEMORY_LIMIT)} is the container's limit in bytes,
 *     {@code $(CPU_LIMIT)} its limit in whole processors; elements with a limit that is not set are dropped
 * @param environment variables of the image; {@code $(API_SERVER)}, {@code $(API_SERVER_CA_FILE)}, {@code $(TOKEN_FILE)} and
 *     {@code $(NAMESPACE_FILE)} are what a pod finds in its ServiceAccount volume; variables with one that there is not are
 *     dropped. A program that names no token file gets a kubeconfig
 * @param defaults flags with their default values, such as {@code --webhook-port=9443}, added unless set, so that their
 *     ports and folders are translated
 * @param files files that it requires
 * @param executable path of the program in the image: a container whose command names another one does not start; {@code null}
 *     if any command stands for it
 */
public record Program(
        String repository,
        String name,
        List<String> command,
        SortedMap<String, String> environment,
        List<String> defaults,
        List<Path> files,
        @Nullable String executable) {

    static final String API_SERVER = "API_SERVER";
    static final String AUTHORITY_FILE = "API_SERVER_CA_FILE";
    static final String TOKEN_FILE = "TOKEN_FILE";
    static final String NAMESPACE_FILE = "NAMESPACE_FILE";

    public Program {
        command = List.copyOf(command);
        defaults = List.copyOf(defaults);
        files = List.copyOf(files);
        environment = new TreeMap<>(environment);
    }

    /** A program that any command of a container stands for. */
    public Program(
            String repository,
            String name,
            List<String> command,
            SortedMap<String, String> environment,
            List<String> defaults,
            List<Path> files) {
        this(repository, name, command, environment, defaults, files, null);
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

    /** Whether it knows where the files of its ServiceAccount are. */
    boolean readsToken() {
        return environment.values().stream().anyMatch(value -> value.contains("$(" + TOKEN_FILE + ")"));
    }

    /** Its variables in a pod. */
    Map<String, String> environmentAs(Identity identity) {
        Map<String, String> known = new TreeMap<>();
        environment.forEach((name, value) -> {
            String text = Expansion.expand(value, identity.places());
            if (Stream.of(API_SERVER, AUTHORITY_FILE, TOKEN_FILE, NAMESPACE_FILE)
                    .noneMatch(place -> text.contains("$(" + place + ")"))) {
                known.put(name, text);
            }
        });
        return known;
    }

    /** Why a container with this command does not start, in the words of the container runtime; empty if it does. */
    Optional<String> problem(List<String> named) {
        return executable == null || named.isEmpty() || named.getFirst().equals(executable)
                ? Optional.empty()
                : Optional.of("exec: \"%1$s\": stat %1$s: no such file or directory".formatted(named.getFirst()));
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
