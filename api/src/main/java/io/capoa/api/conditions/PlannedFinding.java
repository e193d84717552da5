package io.capoa.api.conditions;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A finding of a plan, as the message of condition {@code InstallationPlanned} has it: under the {@link Severity#title} of
 * its severity, one line such as {@code * host-disk: BareMetalHost ns/host-2, spec.rootDeviceHints: WHAT; remedy: REMEDY}.
 *
 * @param check its name, such as {@code host-disk}
 * @param namespace empty for a file
 * @param path field of the object; empty for the whole object
 * @param what is wrong, in one line
 * @param remedy what to do instead, in one line
 */
public record PlannedFinding(
        Severity severity,
        String check,
        String kind,
        String namespace,
        String name,
        String path,
        String what,
        String remedy) {

    /** What it means for the installation. */
    public enum Severity {
        /** No host is taken. */
        BLOCKING("no host is taken, because the installation would fail:"),
        /** It would block, and the user installs nevertheless. */
        ACCEPTED("accepted:"),
        /** The installation may fail, or the cluster cannot be operated as it should. */
        WARNING("warnings:");

        private final String title;

        Severity(String title) {
            this.title = title;
        }

        /** The line before such findings. */
        public String title() {
            return title;
        }

        private static Optional<Severity> of(String line) {
            for (Severity severity : values()) {
                if (line.equals(severity.title)) {
                    return Optional.of(severity);
                }
            }
            return Optional.empty();
        }
    }

    private static final String BULLET = "* ";
    private static final String REMEDY = "; remedy: ";
    private static final int LONGEST = 32_768;
    private static final int MOST = 20;

    /** Its line. */
    public String line() {
        return BULLET + check + ": " + kind + " " + (namespace.isEmpty() ? "" : namespace + "/") + name
                + (path.isEmpty() ? "" : ", " + path) + ": " + what + REMEDY + remedy;
    }

    /** The first twenty findings in the first 32,768 characters of a message; lines of another form are left out. */
    public static List<PlannedFinding> in(String message) {
        List<PlannedFinding> findings = new ArrayList<>();
        Severity severity = null;
        for (String line :
                message.substring(0, Math.min(message.length(), LONGEST)).split("\n", -1)) {
            if (line.startsWith(BULLET)) {
                read(severity, line.substring(BULLET.length())).ifPresent(findings::add);
            } else {
                severity = Severity.of(line).orElse(null);
            }
        }
        return List.copyOf(findings.subList(0, Math.min(findings.size(), MOST)));
    }

    private static Optional<PlannedFinding> read(@Nullable Severity severity, String line) {
        String[] parts = line.split(": ", 3);
        int remedy = parts.length < 3 ? -1 : parts[2].indexOf(REMEDY);
        if (severity == null || remedy < 0) {
            return Optional.empty();
        }
        String[] about = parts[1].split(", ", 2);
        String[] object = about[0].split(" ", 2);
        if (object.length < 2) {
            return Optional.empty();
        }
        int slash = object[1].indexOf('/');
        return Optional.of(new PlannedFinding(
                severity,
                parts[0],
                object[0],
                object[1].substring(0, Math.max(slash, 0)),
                object[1].substring(slash + 1),
                about.length < 2 ? "" : about[1],
                parts[2].substring(0, remedy),
                parts[2].substring(remedy + REMEDY.length())));
    }
}
