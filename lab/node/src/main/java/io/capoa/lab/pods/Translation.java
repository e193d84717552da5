package io.capoa.lab.pods;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Maps ports and paths of a container to those of this machine, in place of network and mount namespaces.
 *
 * @param ports loopback port by container port
 * @param paths local path by container path
 */
record Translation(Map<Integer, Integer> ports, Map<String, Path> paths) {

    /** {@code :8081}, also with a loopback or wildcard address. */
    private static final Pattern ADDRESS =
            Pattern.compile("(|0\\.0\\.0\\.0|127\\.0\\.0\\.1|localhost|\\[::1?\\]):(\\d{1,5})");

    private static final Pattern NUMBER = Pattern.compile("[1-9]\\d{0,4}");

    /** The arguments with missing defaults added. */
    static List<String> withDefaults(List<String> arguments, List<String> defaults) {
        List<String> all = new ArrayList<>(arguments);
        for (String standard : defaults) {
            String flag = flagOf(standard);
            if (arguments.stream().noneMatch(argument -> flagOf(argument).equals(flag))) {
                all.add(standard);
            }
        }
        return all;
    }

    /** The ports in arguments: in addresses, and as values of flags that end in {@code -port}. */
    static NavigableSet<Integer> portsIn(List<String> arguments) {
        NavigableSet<Integer> found = new TreeSet<>();
        String flag = "";
        for (String argument : arguments) {
            String value = valueOf(argument);
            String of = argument.startsWith("-") ? flagOf(argument) : flag;
            int port = port(of, value);
            if (port > 0) {
                found.add(port);
            }
            flag = argument.startsWith("-") ? flagOf(argument) : "";
        }
        return found;
    }

    /** Translates ports and paths in arguments. */
    List<String> arguments(List<String> arguments) {
        List<String> translated = new ArrayList<>();
        String flag = "";
        for (String argument : arguments) {
            boolean isFlag = argument.startsWith("-");
            String value = valueOf(argument);
            String head = argument.substring(0, argument.length() - value.length());
            translated.add(head + value(isFlag ? flagOf(argument) : flag, value));
            flag = isFlag ? flagOf(argument) : "";
        }
        return translated;
    }

    /** Translates paths in a text. */
    String text(String text) {
        if (paths.isEmpty()) {
            return text;
        }
        String longestFirst = paths.keySet().stream()
                .sorted(Comparator.comparingInt(String::length).reversed())
                .map(Pattern::quote)
                .collect(Collectors.joining("|"));
        Matcher matcher = Pattern.compile("(?<![^=:,; ])(%s)(?=$|[/:,; ])".formatted(longestFirst))
                .matcher(text);
        return matcher.replaceAll(found -> Matcher.quoteReplacement(String.valueOf(paths.get(found.group(1)))));
    }

    private String value(String flag, String value) {
        int port = port(flag, value);
        Integer mapped = ports.get(port);
        if (port <= 0 || mapped == null) {
            return text(value);
        }
        return value.indexOf(':') < 0 ? mapped.toString() : "127.0.0.1:" + mapped;
    }

    private static int port(String flag, String value) {
        Matcher address = ADDRESS.matcher(value);
        if (address.matches()) {
            return Integer.parseInt(address.group(2));
        }
        return flag.endsWith("-port") && NUMBER.matcher(value).matches() ? Integer.parseInt(value) : 0;
    }

    private static String flagOf(String argument) {
        int equals = argument.indexOf('=');
        String flag = equals < 0 ? argument : argument.substring(0, equals);
        return flag.replaceFirst("^--?", "-");
    }

    /** The value of a flag, or the whole of any other argument. */
    private static String valueOf(String argument) {
        if (!argument.startsWith("-")) {
            return argument;
        }
        int equals = argument.indexOf('=');
        return equals < 0 ? "" : argument.substring(equals + 1);
    }
}
