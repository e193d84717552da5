package io.capoa.lab.progress;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** Formats the clusters as lines for a terminal of a given size; pure. */
public final class Table {

    private static final int NARROW = 72;
    private static final int LONGEST_NAME = 34;
    private static final int LONGEST_PHASE = "Provisioning".length();

    private Table() {}

    /**
     * The lines of the live view.
     *
     * @param height number of lines; clusters that are not ready come first, the number of hidden ones is shown
     * @param width number of columns; longer lines are cut
     */
    public static List<String> lines(List<ClusterRow> rows, Duration elapsed, int height, int width) {
        int columns = Math.max(width, NARROW);
        long ready = rows.stream().filter(ClusterRow::ready).count();
        List<String> lines = new ArrayList<>();
        lines.add("%s   %d of %d %s ready"
                .formatted(seconds(elapsed), ready, rows.size(), rows.size() == 1 ? "cluster" : "clusters"));
        List<ClusterRow> ordered = new ArrayList<>(rows);
        ordered.sort(Comparator.comparing(ClusterRow::ready));
        Widths widths = Widths.of(rows);
        int room = Math.max(1, height - 2);
        int hidden = 0;
        for (ClusterRow row : ordered) {
            List<String> block = rows.size() > 1 && row.ready() ? List.of(widths.headline(row)) : block(row, widths);
            if (lines.size() + block.size() <= room) {
                lines.addAll(block);
            } else if (lines.size() < room) {
                lines.add(widths.headline(row));
            } else {
                hidden++;
            }
        }
        if (hidden > 0) {
            lines.add("… and %d more".formatted(hidden));
        }
        return lines.stream().map(line -> cut(line, columns)).toList();
    }

    /** Line of a cluster, without alignment. */
    public static String headline(ClusterRow row) {
        return Widths.of(List.of(row)).headline(row);
    }

    /** Line of a Machine, without alignment. */
    public static String line(MachineRow machine) {
        return new Widths(0, 0, machine.name().length(), machine.host().length()).line(machine);
    }

    /** Seconds with one decimal. */
    public static String seconds(Duration elapsed) {
        return String.format(Locale.ROOT, "%.1f s", elapsed.toMillis() / 1000.0);
    }

    /** Columns as wide as their widest entry. */
    private record Widths(int title, int state, int machine, int host) {

        static Widths of(List<ClusterRow> rows) {
            return new Widths(
                    widest(rows, ClusterRow::title),
                    widest(rows, Table::state),
                    Math.min(
                            LONGEST_NAME,
                            rows.stream()
                                    .mapToInt(row -> widest(row.machines(), MachineRow::name))
                                    .max()
                                    .orElse(0)),
                    rows.stream()
                            .mapToInt(row -> widest(row.machines(), MachineRow::host))
                            .max()
                            .orElse(0));
        }

        private static <T> int widest(List<T> rows, Function<T, String> column) {
            return rows.stream()
                    .mapToInt(row -> column.apply(row).length())
                    .max()
                    .orElse(0);
        }

        String headline(ClusterRow row) {
            return pad(row.title(), title) + "  " + pad(Table.state(row), state) + "  control plane "
                    + row.replicas().controlPlane() + "  workers "
                    + row.replicas().workers();
        }

        String line(MachineRow machine) {
            String percent = machine.percent() < 0 || machine.step().isEmpty() ? "" : machine.percent() + " %";
            return "  %s %s %s %5s %s"
                    .formatted(
                            pad(shorten(machine.name(), Math.max(1, this.machine)), this.machine),
                            pad(machine.phase(), LONGEST_PHASE),
                            pad(machine.host(), host),
                            percent,
                            machine.step())
                    .stripTrailing();
        }

        private static String pad(String text, int width) {
            return text + " ".repeat(Math.max(0, width - text.length()));
        }
    }

    private static String state(ClusterRow row) {
        return row.percent() < 0 || row.ready() ? row.state() : "%s %d %%".formatted(row.state(), row.percent());
    }

    private static List<String> block(ClusterRow row, Widths widths) {
        List<String> block = new ArrayList<>();
        block.add(widths.headline(row));
        row.machines().forEach(machine -> block.add(widths.line(machine)));
        if (!row.ready() && row.machines().isEmpty()) {
            row.waitingFor().forEach(reason -> block.add("  " + reason));
        }
        return block;
    }

    private static String shorten(String text, int width) {
        return text.length() <= width ? text : text.substring(0, width - 1) + "…";
    }

    private static String cut(String line, int width) {
        return line.length() <= width ? line : line.substring(0, width - 1) + "…";
    }
}
