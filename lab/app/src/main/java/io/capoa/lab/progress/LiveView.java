package io.capoa.lab.progress;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jline.utils.AttributedString;
import org.jline.utils.AttributedStringBuilder;
import org.jline.utils.AttributedStyle;
import org.jline.utils.Display;
import org.jline.utils.InfoCmp;

/**
 * A table at the end of the terminal that is redrawn in place; other output goes below it, followed by a new table.
 */
public final class LiveView implements View {

    private static final int REMEMBERED = 100;

    private final Terminal terminal;
    private final Deque<String> said = new ArrayDeque<>();
    private Display display;
    private boolean drawn;
    private Size drawnAt = new Size(0, 0);

    public LiveView() throws IOException {
        this(TerminalBuilder.builder()
                .system(true)
                .nativeSignals(false)
                .dumb(true)
                .build());
    }

    LiveView(Terminal terminal) {
        this.terminal = terminal;
        display = new Display(terminal, false);
    }

    @Override
    public synchronized void show(List<ClusterRow> rows, Duration elapsed) {
        Size size = terminal.getSize();
        int height = size.getRows() > 0 ? size.getRows() : 24;
        int width = size.getColumns() > 0 ? size.getColumns() : 80;
        Size now = new Size(width, height);
        if (drawn && !now.equals(drawnAt)) {
            startAgain(height);
        }
        drawnAt = now;
        display.resize(height, width);
        List<AttributedString> lines = Table.lines(rows, elapsed, height, width - 1).stream()
                .map(LiveView::styled)
                .toList();
        display.update(lines, -1);
        drawn = true;
    }

    /**
     * Clears the screen and repeats the last messages: a terminal that is resized breaks the lines of the table in its own
     * way, so that their place is not known.
     */
    private void startAgain(int height) {
        terminal.puts(InfoCmp.Capability.clear_screen);
        List<String> last = new ArrayList<>(said);
        int repeated = Math.min(last.size(), height / 3);
        last.subList(last.size() - repeated, last.size()).forEach(terminal.writer()::println);
        terminal.flush();
        display = new Display(terminal, false);
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
        text.lines().forEach(said::add);
        while (said.size() > REMEMBERED) {
            said.remove();
        }
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
