package io.capoa.lab.progress;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.lab.progress.ClusterRow.Count;
import io.capoa.lab.progress.ClusterRow.Replicas;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jline.terminal.impl.ExternalTerminal;
import org.junit.jupiter.api.Test;

/** What the live view sends to a terminal. */
class LiveViewTest {

    private static final String CLEAR = "\u001b[H\u001b[2J";

    private final ByteArrayOutputStream screen = new ByteArrayOutputStream();

    @Test
    void afterAResize_theScreenIsClearedAndDrawnAsAWhole() throws IOException {
        try (Terminal terminal = terminal()) {
            terminal.setSize(new Size(100, 30));
            LiveView view = new LiveView(terminal);
            view.say("Applying the sample …");
            view.show(List.of(row("installing")), Duration.ZERO);
            assertThat(sent())
                    .contains("Applying the sample …", "demo/multinode", "installing")
                    .doesNotContain(CLEAR);

            terminal.setSize(new Size(60, 20));
            view.show(List.of(row("finalizing")), Duration.ofSeconds(1));

            assertThat(sent())
                    .startsWith(CLEAR)
                    .contains("Applying the sample …", "0 of 1 cluster ready", "demo/multinode", "finalizing");
        }
    }

    @Test
    void withoutAResize_onlyTheChangeIsSent() throws IOException {
        try (Terminal terminal = terminal()) {
            terminal.setSize(new Size(100, 30));
            LiveView view = new LiveView(terminal);
            view.show(List.of(row("installing")), Duration.ZERO);
            var unused = sent();

            view.show(List.of(row("finalizing")), Duration.ZERO);

            assertThat(sent()).contains("finaliz").doesNotContain(CLEAR, "demo/multinode");
        }
    }

    private Terminal terminal() throws IOException {
        return new ExternalTerminal(
                "test", "xterm", new ByteArrayInputStream(new byte[0]), screen, StandardCharsets.UTF_8);
    }

    /** What was sent since the last call, without styles. */
    private String sent() {
        String text = screen.toString(StandardCharsets.UTF_8);
        screen.reset();
        return text.replaceAll("\u001b\\[[0-9;]*m", "");
    }

    private static ClusterRow row(String state) {
        return new ClusterRow(
                "demo",
                "multinode",
                state,
                -1,
                new Replicas(new Count(1, 3), new Count(0, 2)),
                false,
                List.of(),
                List.of());
    }
}
