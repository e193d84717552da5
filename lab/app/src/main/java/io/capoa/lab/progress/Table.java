package io.capoa.lab.progress;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** Formats the clusters as lines for a terminal of a given size; pure. */
public final class Table {

    private static final int NARROWEST = 20;
    private static final int SHORTEST_NAME = 8;
    private static final int INDENT = 4;
    private static final int LONGEST_NAME = 34;
    private static final int LONGEST_PHASE = "Provisioning".length();

    private Table() {}

    /**
     * The lines of the live view.
     *
     * @param height number of lines; failed clusters come first, then the others that are not ready; how many clusters and
     *     lines about failures are hidden is shown
     * @param width number of columns; longer lines go on in the next one, after names of Machines are shortened
     */
    public static List<String> lines(List<ClusterRow> rows, Duration elapsed, int height, int width) {
        int columns = Math.max(width, NARROWEST);
        long ready = rows.stream().filter(ClusterRow::ready).count();
        List<String> lines = new ArrayList<>();
        lines.addAll(wrap(
                "%s   %d of %d %s ready"
                        .formatted(seconds(elapsed), ready, rows.size(), rows.size() == 1 ? "cluster" : "clusters"),
                columns));
        List<ClusterRow> ordered = new ArrayList<>(rows);
        ordered.sort(Comparator.comparing((ClusterRow row) -> row.failure().isEmpty())
                .thenComparing(ClusterRow::ready));
        Widths widths = Widths.of(rows);
        int room = Math.max(1, height - 2);
        int hidden = 0;
        int unsaid = 0;
        for (ClusterRow row : ordered) {
            List<String> headline = wrap(widths.headline(row), columns);
            List<String> failure = failure(row, columns);
            List<String> details = rows.size() > 1 && row.ready() ? List.of() : details(row, widths, columns);
            int left = room - lines.size() - headline.size();
            if (left < 0) {
                hidden++;
                unsaid += failure.size();
                continue;
            }
            lines.addAll(headline);
            int said = Math.min(failure.size(), left);
            lines.addAll(failure.subList(0, said));
            unsaid += failure.size() - said;
            left -= said;
            if (details.size() <= left) {
                lines.addAll(details);
            }
        }
        if (hidden + unsaid > 0) {
            lines.add("… and " + more(hidden, unsaid));
        }
        return lines;
    }

    private static String more(int clusters, int linesOfFailures) {
        String more = clusters > 0 ? clusters + " more" : "";
        if (linesOfFailures == 0) {
            return more;
        }
        return "%s%d more %s about failures"
                .formatted(more.isEmpty() ? "" : more + ", ", linesOfFailures, linesOfFailures == 1 ? "line" : "lines");
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

        /** Shortens the name as far as the line needs it. */
        String line(MachineRow machine, int columns) {
            String whole = line(machine);
            int surplus = whole.length() - columns;
            int shorter = Math.max(SHORTEST_NAME, this.machine - Math.max(0, surplus));
            return surplus <= 0 || shorter >= this.machine
                    ? whole
                    : new Widths(title, state, shorter, host).line(machine);
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

    private static List<String> failure(ClusterRow row, int columns) {
        return row.failure().stream()
                .flatMap(line -> wrap("  ! " + line, columns).stream())
                .toList();
    }

    private static List<String> details(ClusterRow row, Widths widths, int columns) {
        List<String> details = new ArrayList<>();
        row.machines().forEach(machine -> details.addAll(wrap(widths.line(machine, columns), columns)));
        if (!row.ready() && row.machines().isEmpty() && row.failure().isEmpty()) {
            row.waitingFor().forEach(reason -> details.addAll(wrap("  " + reason, columns)));
        }
        return details;
    }

    /** Breaks a line between words; a word that is too long is cut in pieces. */
    private static List<String> wrap(String line, int width) {
        List<String> lines = new ArrayList<>();
        String rest = line;
        while (rest.length() > width) {
            int end = rest.lastIndexOf(' ', width);
            int indent = rest.length() - rest.stripLeading().length();
            // A break in the indentation, or before any word, gains nothing.
            boolean between = end > indent;
            lines.add(rest.substring(0, between ? end : width).stripTrailing());
            rest = " ".repeat(INDENT) + rest.substring(between ? end : width).stripLeading();
        }
        lines.add(rest);
        return lines;
    }

    /** Keeps the end, in which names of one deployment differ. */
    private static String shorten(String text, int width) {
        return text.length() <= width ? text : "…" + text.substring(text.length() - width + 1);
    }
}
