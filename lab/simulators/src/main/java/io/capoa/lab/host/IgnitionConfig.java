package io.capoa.lab.host;

import io.capoa.api.contract.Fields;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The parts of an ignition config that a host applies: files and systemd units. */
record IgnitionConfig(List<FileEntry> files, List<Unit> units) {

    /**
     * A file.
     *
     * @param mode permission bits
     * @param source a data URL, empty for an empty file
     */
    record FileEntry(String path, int mode, String source) {
        byte[] content() throws Refused {
            return source.isEmpty() ? new byte[0] : IgnitionConfig.content(source);
        }
    }

    /** A systemd unit with its text. */
    record Unit(String name, boolean enabled, String text) {

        /** All values of a key, in order; continuation lines are joined. */
        List<String> values(String key) {
            return text.replace("\\\n", " ")
                    .lines()
                    .map(String::strip)
                    .filter(line -> line.startsWith(key + "="))
                    .map(line -> line.substring(key.length() + 1).strip())
                    .toList();
        }

        /** The units named in all lines of a key. */
        List<String> names(String key) {
            return values(key).stream()
                    .flatMap(value -> List.of(value.split("\\s+")).stream())
                    .toList();
        }
    }

    private static final int DEFAULT_MODE = 0644;

    /** Reads a parsed config of version 3.x. */
    static IgnitionConfig of(Map<String, Object> config) throws Refused {
        if (!(Fields.any(config, "ignition", "version") instanceof String version) || !version.startsWith("3.")) {
            throw new Refused("its ignition is not of version 3.x");
        }
        List<FileEntry> files = new ArrayList<>();
        for (Object entry : list(config, "storage", "files")) {
            if (Fields.any(entry, "path") instanceof String path) {
                Object mode = Fields.any(entry, "mode");
                Object source = Fields.any(entry, "contents", "source");
                files.add(new FileEntry(
                        path,
                        mode instanceof Number number ? number.intValue() : DEFAULT_MODE,
                        source instanceof String text ? text : ""));
            }
        }
        List<Unit> units = new ArrayList<>();
        for (Object entry : list(config, "systemd", "units")) {
            if (Fields.any(entry, "name") instanceof String name) {
                Object text = Fields.any(entry, "contents");
                units.add(new Unit(
                        name,
                        Boolean.TRUE.equals(Fields.any(entry, "enabled")),
                        text instanceof String contents ? contents : ""));
            }
        }
        return new IgnitionConfig(files, units);
    }

    Optional<Unit> unit(String name) {
        return units.stream().filter(u -> u.name().equals(name)).findFirst();
    }

    /** The content of a data URL. */
    static byte[] content(String source) throws Refused {
        int comma = source.indexOf(',');
        if (!source.startsWith("data:") || comma < 0) {
            throw new Refused("a file in its ignition has no data URL");
        }
        String payload = source.substring(comma + 1);
        try {
            return source.substring(0, comma).endsWith(";base64")
                    ? Base64.getDecoder().decode(payload)
                    : URLDecoder.decode(payload.replace("+", "%2B"), StandardCharsets.UTF_8)
                            .getBytes(StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw new Refused("a file in its ignition has an unreadable data URL");
        }
    }

    private static List<?> list(Map<String, Object> config, String... path) {
        return Fields.any(config, path) instanceof List<?> list ? list : List.of();
    }
}
