package io.capoa.lab.progress;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStringBuilder;
import org.jline.utils.AttributedStyle;
import org.jline.utils.Display;

/**
 * A table at the end of the terminal that is redrawn in place; other output goes below it, followed by a new table.
 */
public final class LiveView implements View {

    private final Terminal terminal;
    private Display display;
    private boolean drawn;

    public LiveView() throws IOException {
        terminal = TerminalBuilder.builder()
                .system(true)
                .nativeSignals(false)
                .dumb(true)
                .build();
        display = new Display(terminal, false);
    }

    @Override
    public synchronized void show(List<ClusterRow> rows, Duration elapsed) {
        Size size = terminal.getSize();
        int height = size.getRows() > 0 ? size.getRows() : 24;
        int width = size.getColumns() > 0 ? size.getColumns() : 80;
        display.resize(height, width);
        List<AttributedString> lines = Table.lines(rows, elapsed, height, width - 1).stream()
                .map(LiveView::styled)
                .toList();
        display.update(lines, -1);
        drawn = true;
    }

    private static AttributedString styled(String line) {
        AttributedStyle style = line.startsWith("  ") ? AttributedStyle.DEFAULT : AttributedStyle.BOLD;
        return new AttributedStringBuilder().styled(style, line).toAttributedString();
    }

    @Override
    public synchronized void say(String text) {
        if (drawn) {
            terminal.writer().println();
        }
        terminal.writer().println(text);
        terminal.flush();
        // Starts at the cursor; the previous redraw would move up to its own first line.
        display = new Display(terminal, false);
        drawn = false;
    }

    /** Keeps the last table and moves to the line below it. */
    @Override
    public synchronized void close() {
        try {
            terminal.writer().println();
            terminal.flush();
            terminal.close();
        } catch (IOException e) {
            // The terminal has been closed.
        }
    }
}
