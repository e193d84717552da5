package io.capoa.lint.rules;

import io.capoa.api.contract.Fields;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A container of a workload.
 *
 * @param path in the pod's spec, such as {@code containers[0]}
 * @param content as in the manifest
 */
record Container(String path, @Nullable Object content) {

    private static final Pattern SHELL = Pattern.compile("(?:^|[/ ])(?:ba|da|a|k)?sh(?: |$)");
    private static final String FLAG_VALUE = "(\"[^\"]*+\"|'[^']*+'|[^\\s\"'\\\\]++)";

    String name() {
        return Fields.text(content, "name");
    }

    String image() {
        return Fields.text(content, "image");
    }

    /** Last part of the image's repository: {@code a} of {@code quay.io/x/a:1}. */
    String imageName() {
        return image().replaceFirst("@.*", "").replaceFirst(".*/", "").replaceFirst(":.*", "");
    }

    /** A field; {@code null} if absent. */
    @Nullable
    Object field(String... path) {
        return Fields.any(content, path);
    }

    /** A list, empty if absent. */
    List<?> list(String... path) {
        return Fields.list(content, path);
    }

    /** Command and arguments in one line, a shell's script included. */
    String commandLine() {
        return Stream.concat(list("command").stream(), list("args").stream())
                .map(part -> Fields.text(part))
                .collect(Collectors.joining(" "));
    }

    /** Whether the command is run by a shell, which expands variables that Kubernetes leaves as they are. */
    boolean hasShell() {
        return SHELL.matcher(commandLine()).find();
    }

    boolean hasFlag(String name, String value) {
        return flag(name).filter(value::equals).isPresent();
    }

    /** The value of a flag: {@code true} for one without value, empty if it is absent. The last one counts. */
    Optional<String> flag(String name) {
        return flags(name).reduce((first, last) -> last);
    }

    /**
     * Whether a controller of the cloud controller manager is on (k8s.io/controller-manager, {@code
     * IsControllerEnabled}).
     *
     * @param names the controller's name and its alias
     */
    boolean runsController(String... names) {
        List<String> controllers = flags("controllers")
                .flatMap(value -> Stream.of(value.split(",")))
                .toList();
        return controllers.stream()
                .filter(controller -> List.of(names).contains(controller.replaceFirst("^-", "")))
                .findFirst()
                .map(controller -> !controller.startsWith("-"))
                .orElse(controllers.isEmpty() || controllers.contains("*"));
    }

    private Stream<String> flags(String name) {
        return Pattern.compile("(?:^|[\\s\"'])--" + Pattern.quote(name) + "(?:=" + FLAG_VALUE + "|\\s++(?!-)"
                        + FLAG_VALUE + "|(?=[\\s\"'\\\\]|$))")
                .matcher(commandLine())
                .results()
                .map(flag -> flag.group(1) == null ? flag.group(2) : flag.group(1))
                .map(value -> value == null ? "true" : unquoted(value));
    }

    private static String unquoted(String value) {
        return value.startsWith("\"") || value.startsWith("'") ? value.substring(1, value.length() - 1) : value;
    }
}
