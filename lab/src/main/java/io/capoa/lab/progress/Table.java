package io.capoa.lab.progress;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Lays the clusters out as lines of text for a terminal of a given size; pure. */
public final class Table {

    private static final int NARROW = 72;
    private static final int LONGEST_NAME = 34;

    private Table() {}

    /**
     * The lines of the live view.
     *
     * @param height lines that fit; clusters in work come first, what does not fit is counted
     * @param width columns that fit; longer lines are cut
     */
    public static List<String> lines(List<ClusterRow> rows, Duration elapsed, int height, int width) {
        int columns = Math.max(width, NARROW);
        long ready = rows.stream().filter(ClusterRow::ready).count();
        List<String> lines = new ArrayList<>();
        lines.add("%s   %d of %d clusters ready".formatted(seconds(elapsed), ready, rows.size()));
        List<ClusterRow> ordered = new ArrayList<>(rows);
        ordered.sort(java.util.Comparator.comparing(ClusterRow::ready));
        int room = Math.max(1, height - 2);
        int hidden = 0;
        for (ClusterRow row : ordered) {
            List<String> block = rows.size() > 1 && row.ready() ? List.of(headline(row)) : block(row);
            if (lines.size() + block.size() <= room) {
                lines.addAll(block);
            } else if (lines.size() < room) {
                lines.add(headline(row));
            } else {
                hidden++;
            }
        }
        if (hidden > 0) {
            lines.add("… and %d more".formatted(hidden));
        }
        return lines.stream().map(line -> cut(line, columns)).toList();
    }

    /** One line for a cluster, for the live view's head of a block and for the plain view. */
    public static String headline(ClusterRow row) {
        String percent = row.percent() < 0 || row.ready() ? "" : " %d %%".formatted(row.percent());
        return "%-24s %-26s control plane %s  workers %s"
                .formatted(row.title(), row.state() + percent, row.controlPlane(), row.workers());
    }

    /** One line for a Machine. */
    public static String line(MachineRow machine, int nameWidth) {
        return "  %-{n}s %-13s %-9s %-21s %s"
                .replace("{n}", String.valueOf(nameWidth))
                .formatted(
                        shorten(machine.name(), nameWidth),
                        machine.phase(),
                        shorten(machine.host(), 9),
                        shorten(machine.step(), 21),
                        machine.percent() < 0 ? "" : machine.percent() + " %")
                .stripTrailing();
    }

    /** Seconds with one decimal. */
    public static String seconds(Duration elapsed) {
        return String.format(Locale.ROOT, "%.1f s", elapsed.toMillis() / 1000.0);
    }

    private static List<String> block(ClusterRow row) {
        int nameWidth =
                row.machines().stream().mapToInt(m -> m.name().length()).max().orElse(0);
        List<String> block = new ArrayList<>();
        block.add(headline(row));
        row.machines().forEach(m -> block.add(line(m, Math.min(nameWidth, LONGEST_NAME))));
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
