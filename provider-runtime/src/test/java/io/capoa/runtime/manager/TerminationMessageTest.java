package io.capoa.runtime.manager;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file that a kubelet reads when a container has ended. */
class TerminationMessageTest {

    @TempDir
    Path folder = Path.of("");

    @Test
    void theReason_replacesWhatTheFileHeld() throws Exception {
        Path file = Files.writeString(folder.resolve("termination-log"), "a longer reason from before");

        TerminationMessage.write(file, "Lost lease");

        assertThat(file).hasContent("Lost lease\n");
    }

    @Test
    void whereNoKubeletMadeAFile_noneAppears() {
        Path file = folder.resolve("termination-log");

        TerminationMessage.write(file, "Lost lease");

        assertThat(file).doesNotExist();
    }
}
