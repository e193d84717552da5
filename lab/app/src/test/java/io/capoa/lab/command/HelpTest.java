package io.capoa.lab.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.lab.cluster.ProjectRoot;
import io.capoa.lab.table.DocumentBlock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** {@code lab/up --help} prints a committed file, so that it needs no build. Regenerate with -Dcapoa.golden=write. */
class HelpTest {

    private static final int WIDTH = 100;

    @Test
    void theCommittedText_isThatOfTheCommand() throws IOException {
        Path committed = ProjectRoot.find().resolve("lab/up-help.txt");
        String text = Up.commandLine()
                .setUsageHelpWidth(WIDTH)
                .getUsageMessage(CommandLine.Help.Ansi.OFF)
                .lines()
                .map(String::stripTrailing)
                .reduce("", (all, line) -> all + line + "\n");
        if ("write".equals(System.getProperty("capoa.golden"))) {
            Files.writeString(committed, text);
        }

        assertThat(Files.readString(committed)).as(DocumentBlock.REWRITE).isEqualTo(text);
    }
}
