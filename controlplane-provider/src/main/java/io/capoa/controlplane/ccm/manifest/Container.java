package io.capoa.controlplane.ccm.manifest;

import io.capoa.api.contract.Fields;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A container of a workload.
 *
 * @param index in the list of containers
 * @param content as in the manifest
 */
public record Container(int index, @Nullable Object content) {

    public String name() {
        return Fields.text(content, "name");
    }

    public String image() {
        return Fields.text(content, "image");
    }

    /** Last part of the image's repository: {@code a} of {@code quay.io/x/a:1}. */
    String imageName() {
        return image().replaceFirst("@.*", "").replaceFirst(".*/", "").replaceFirst(":.*", "");
    }

    /** A field; {@code null} if absent. */
    public @Nullable Object field(String... path) {
        return Fields.any(content, path);
    }

    /** A list, empty if absent. */
    public List<?> list(String... path) {
        return field(path) instanceof List<?> list ? list : List.of();
    }

    /** Command and arguments in one line, a shell's script included. */
    public String commandLine() {
        return Stream.concat(list("command").stream(), list("args").stream())
                .map(part -> Fields.text(part))
                .collect(Collectors.joining(" "));
    }

    /** The value of a flag: {@code true} for one without value, empty if it is absent. The last one counts. */
    public Optional<String> flag(String name) {
        Matcher matcher = Pattern.compile("(?:^|[\\s\"'])--" + Pattern.quote(name)
                        + "(?:[= ]\\s*([^\\s\"'\\\\-][^\\s\"'\\\\]*)|(?=[\\s\"'\\\\]|$))")
                .matcher(commandLine());
        Optional<String> value = Optional.empty();
        while (matcher.find()) {
            value = Optional.of(matcher.group(1) == null ? "true" : matcher.group(1));
        }
        return value;
    }
}
