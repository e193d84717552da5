package io.capoa.api.reference;

import java.util.List;
import java.util.stream.IntStream;

/** Text, code and table rows of GitHub's Markdown. */
final class Markdown {

    private Markdown() {}

    /** Plain text that renders as written, in a table as well. */
    static String text(String plain) {
        return plain.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\\", "\\\\")
                .replace("|", "\\|")
                .replace("*", "\\*")
                .replace("`", "\\`")
                .replace("](", "]\\(")
                .replaceAll("(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])", "\\\\_")
                .replaceAll("\\s*\\R\\s*", " ")
                .strip();
    }

    /** A code span; a table splits its cells before it looks for code, so that a pipe is escaped here too. */
    static String code(String plain) {
        String fence = plain.contains("`") ? "``" : "`";
        String padding = plain.startsWith("`") || plain.endsWith("`") ? " " : "";
        return fence + padding + plain.replace("|", "\\|").replaceAll("\\R", " ") + padding + fence;
    }

    static String link(String markdown, String target) {
        return "[" + markdown + "](" + target + ")";
    }

    /** An anchor in a paragraph of its own. */
    static String anchor(String id) {
        return inlineAnchor(id) + "\n\n";
    }

    /** An anchor within a line, such as a cell of a table. */
    static String inlineAnchor(String id) {
        return "<a id=\"" + id + "\"></a>";
    }

    static String row(List<String> cells) {
        var row = new StringBuilder("|");
        cells.forEach(cell -> row.append(cell.isEmpty() ? " |" : " " + cell + " |"));
        return row.append('\n').toString();
    }

    /** A table without the columns that are empty in every row; the first column always stays. */
    static String table(List<String> titles, List<List<String>> rows) {
        List<Integer> columns = IntStream.range(0, titles.size())
                .filter(column -> column == 0
                        || rows.stream().anyMatch(row -> !row.get(column).isEmpty()))
                .boxed()
                .toList();
        var table = new StringBuilder(row(columns.stream().map(titles::get).toList()));
        table.append(row(columns.stream().map(column -> "---").toList()));
        rows.forEach(row -> table.append(row(columns.stream().map(row::get).toList())));
        return table.toString();
    }
}
