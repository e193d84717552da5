package io.capoa.lab.e2e;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/** The commands in the {@code sh} blocks of a document, in order. */
final class DocumentCommands {

    private static final Pattern BLOCK = Pattern.compile("^```sh\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);
    private static final String HERE = "<<EOF";

    private DocumentCommands() {}

    /** Each command as a user pastes it; a here-document belongs to its command. */
    static List<String> of(String document) {
        return blocks(document).stream()
                .flatMap(block -> commands(block).stream())
                .toList();
    }

    /** Each block as a user pastes it. */
    static List<String> blocks(String document) {
        return BLOCK.matcher(document).results().map(block -> block.group(1)).toList();
    }

    private static List<String> commands(String block) {
        List<String> commands = new ArrayList<>();
        StringBuilder command = new StringBuilder();
        for (String line : Arrays.asList(block.strip().split("\n"))) {
            command.append(line);
            boolean goesOn = line.endsWith("\\") || (command.indexOf(HERE) >= 0 && !line.equals("EOF"));
            if (goesOn) {
                command.append('\n');
            } else {
                commands.add(command.toString());
                command.setLength(0);
            }
        }
        if (!command.isEmpty()) {
            throw new IllegalArgumentException("A command does not end in its block: " + command);
        }
        return List.copyOf(commands);
    }
}
