package io.capoa.lab.endurance;

import io.capoa.lab.cluster.ProjectRoot;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The report of a run in Markdown: {@code target/endurance/<name>.md} of the checkout. */
public final class EnduranceReport {

    private static final int LONGEST = 600;

    private final String name;
    private final long seed;
    private final Map<String, Integer> figures = new TreeMap<>();
    private final List<String> events = new ArrayList<>();
    private final Map<String, Duration> longest = new TreeMap<>();
    private final List<Finding> findings = new ArrayList<>();

    public EnduranceReport(String name, long seed) {
        this.name = name;
        this.seed = seed;
    }

    /** Adds to a figure. */
    public synchronized void count(String figure, int number) {
        figures.merge(figure, number, Integer::sum);
    }

    /** A figure; zero if nothing was counted. */
    public synchronized int figure(String figure) {
        return figures.getOrDefault(figure, 0);
    }

    /** One more of these, which took so long. */
    public synchronized void count(String figure, Duration time) {
        count(figure, 1);
        longest.merge(figure, time, (a, b) -> a.compareTo(b) > 0 ? a : b);
    }

    /** Something that happened, as one line that is not too long; the file has it at once. */
    public synchronized void event(String line) {
        String one = line.replaceAll("\\s+", " ");
        events.add(one.substring(0, Math.min(one.length(), LONGEST)));
        var unused = write();
    }

    public synchronized void find(Finding finding) {
        findings.add(finding);
    }

    public synchronized void findAll(Collection<Finding> all) {
        findings.addAll(all);
    }

    public synchronized List<Finding> findings() {
        return List.copyOf(findings);
    }

    /** The figures and findings, without events and histories. */
    public synchronized String summary() {
        StringBuilder text = new StringBuilder(
                "# Endurance: %s, seed %d%n%n| what | number | longest |%n| --- | --- | --- |%n".formatted(name, seed));
        figures.forEach((figure, number) -> text.append("| %s | %d | %s |%n"
                .formatted(
                        figure,
                        number,
                        longest.containsKey(figure) ? longest.get(figure).toSeconds() + " s" : "")));
        text.append("%n%d findings%n".formatted(findings.size()));
        findings.forEach(finding -> text.append("- %s: %s%n".formatted(finding.rule(), finding.what())));
        return text.toString();
    }

    /** All of it. */
    public synchronized String text() {
        StringBuilder text = new StringBuilder(summary());
        findings.forEach(finding -> text.append("%n## %s%n%n```%n%s%n```%n".formatted(finding.rule(), finding)));
        text.append("%n## Events%n%n".formatted());
        events.forEach(event -> text.append("- ").append(event).append(System.lineSeparator()));
        return text.toString();
    }

    /** Writes the report; returns the file. */
    public synchronized Path write() {
        Path folder = ProjectRoot.find().resolve("target").resolve("endurance");
        try {
            Files.createDirectories(folder);
            return Files.writeString(folder.resolve(name + ".md"), text());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
