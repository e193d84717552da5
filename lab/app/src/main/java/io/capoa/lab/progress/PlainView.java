package io.capoa.lab.progress;

import java.io.PrintStream;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Prints a line for every change, for logs and pipes. */
public final class PlainView implements View {

    private static final String CONTINUED = " ".repeat(10);

    private final PrintStream out;
    private final Map<String, String> shown = new LinkedHashMap<>();

    public PlainView(PrintStream out) {
        this.out = out;
    }

    @Override
    public void show(List<ClusterRow> rows, Duration elapsed) {
        for (ClusterRow row : rows) {
            print(row.title(), Table.headline(row), elapsed);
            if (!row.failure().isEmpty()) {
                print(
                        row.title() + " failure",
                        String.join(System.lineSeparator() + CONTINUED, row.failure()),
                        elapsed);
            }
            for (MachineRow machine : row.machines()) {
                print(row.title() + "/" + machine.name(), Table.line(machine), elapsed);
            }
        }
    }

    private void print(String what, String line, Duration elapsed) {
        if (!line.equals(shown.put(what, line))) {
            out.printf("%8s  %s%n", Table.seconds(elapsed), line);
        }
    }

    @Override
    public void say(String text) {
        out.println(text);
    }

    @Override
    public void close() {
        out.flush();
    }
}
