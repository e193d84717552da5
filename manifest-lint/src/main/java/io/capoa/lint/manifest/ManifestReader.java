package io.capoa.lint.manifest;

import io.capoa.api.conditions.PlannedFinding.Severity;
import io.capoa.api.contract.Fields;
import io.capoa.api.untrusted.UntrustedContent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.common.Anchor;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionEndEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * Reads manifests. The files are a user's: size, depth and aliases are limited, and what cannot be read is a finding,
 * because the installer could not read it either.
 */
public final class ManifestReader {

    private static final int DEPTH = 100;

    /** Of all files together: what is read of them is in memory at the same time. */
    private static final int EVENTS = 200_000;

    /** Also of all manifests of a cluster. */
    public static final int CHARACTERS = 4 << 20;

    /** A plain scalar that YAML takes for a number. */
    private static final Pattern NUMBER = Pattern.compile("[-+]?+[0-9][0-9_.]*+(?:[eE][-+]?+[0-9]++)?+");

    private static final int ALIASES = 50;

    /** Begins the placeholder of a template. */
    private static final String PLACEHOLDER = "{{";

    private static final class TooComplex extends Exception {

        private static final long serialVersionUID = 1L;

        TooComplex(String message) {
            super(message);
        }
    }

    private final List<ManifestObject> objects = new ArrayList<>();
    private final List<Finding> findings = new ArrayList<>();
    private final Set<String> kinds;
    private int events;

    private ManifestReader(Set<String> kinds) {
        this.kinds = kinds;
    }

    /**
     * Reads files in order; empty documents are skipped, and a {@code List} stands for its items.
     *
     * @param kinds whose content is read; of others the names are
     */
    public static Manifests read(List<ManifestFile> files, Set<String> kinds) {
        ManifestReader reader = new ManifestReader(kinds);
        files.forEach(reader::file);
        return new Manifests(reader.objects, reader.findings);
    }

    private void file(ManifestFile file) {
        LoadSettings settings = LoadSettings.builder()
                .setLabel(file.name())
                .setCodePointLimit(CHARACTERS)
                .setMaxAliasesForCollections(ALIASES)
                // Kubernetes takes the last one.
                .setAllowDuplicateKeys(true)
                .build();
        try {
            limit(new Parse(settings).parseString(file.text()));
            int document = 0;
            for (Object content : new Load(settings).loadAllFromString(file.text())) {
                document++;
                document(file, document, content);
            }
        } catch (MarkedYamlEngineException e) {
            malformed(file, line(e), e.getProblem());
        } catch (YamlEngineException e) {
            malformed(file, template(file.text()), e.getMessage());
        } catch (TooComplex e) {
            unreadable(
                    file,
                    "line 1",
                    "cannot be read (" + e.getMessage() + ")",
                    "split the file, or remove what is not a manifest");
        }
    }

    /** Parsing into events is not recursive, loading is; and nothing may contain itself. */
    private void limit(Iterable<Event> parsed) throws TooComplex {
        Deque<Optional<Anchor>> open = new ArrayDeque<>();
        for (Event event : parsed) {
            switch (event) {
                case CollectionStartEvent start -> open.push(start.getAnchor());
                case CollectionEndEvent ignored -> open.pop();
                case AliasEvent alias -> {
                    if (open.contains(Optional.of(alias.getAlias()))) {
                        throw new TooComplex("an alias refers to what it is part of");
                    }
                }
                case ScalarEvent scalar -> limit(scalar);
                default -> {}
            }
            events++;
            if (open.size() > DEPTH) {
                throw new TooComplex("it is nested more than " + DEPTH + " levels deep");
            }
            if (events > EVENTS) {
                throw new TooComplex("all manifests together have more than " + EVENTS + " values");
            }
        }
    }

    private static void limit(ScalarEvent scalar) throws TooComplex {
        if (scalar.isPlain()
                && scalar.getValue().length() > UntrustedContent.NUMBER
                && NUMBER.matcher(scalar.getValue()).matches()) {
            throw new TooComplex("a number has more than " + UntrustedContent.NUMBER + " digits");
        }
    }

    private void document(ManifestFile file, int number, @Nullable Object content) {
        if (content == null) {
            return;
        }
        if (Fields.any(content, "items") instanceof List<?> items
                && Fields.text(content, "kind").endsWith("List")) {
            // A List in a List is no manifest; following it would multiply what aliases repeat.
            items.forEach(item -> object(file, number, item));
        } else {
            object(file, number, content);
        }
    }

    private void object(ManifestFile file, int number, @Nullable Object content) {
        String place = "document " + number;
        if (!(content instanceof Map<?, ?> map)) {
            unreadable(file, place, "is not an object", "write a manifest with apiVersion, kind and metadata");
            return;
        }
        ManifestObject object = ManifestObject.of(map);
        if (object.apiVersion().isEmpty() || object.kind().isEmpty()) {
            unreadable(file, place, "has no apiVersion or kind", "write a manifest with apiVersion and kind");
            return;
        }
        objects.add(kinds.contains(object.kind()) ? object : object.withoutContent());
    }

    private void unreadable(ManifestFile file, String place, String what, String remedy) {
        findings.add(
                new Finding(Severity.BLOCKING, file.name(), place, what, "and the installer cannot apply it", remedy));
    }

    private void malformed(ManifestFile file, int line, @Nullable String problem) {
        boolean template = file.text().lines().skip(line - 1L).limit(1).anyMatch(text -> text.contains(PLACEHOLDER));
        unreadable(
                file,
                "line " + line,
                "is not YAML (" + UntrustedContent.quoted(String.valueOf(problem)) + ")",
                template ? "render the template before you add it" : "correct the line, for example its indentation");
    }

    private static int line(MarkedYamlEngineException e) {
        return e.getProblemMark()
                .or(e::getContextMark)
                .map(mark -> mark.getLine() + 1)
                .orElse(1);
    }

    /** The first line with a placeholder, which YAML takes for a mapping as a key; 1 if there is none. */
    private static int template(String text) {
        return Math.max(1, (int)
                text.substring(0, text.indexOf(PLACEHOLDER) + 1).lines().count());
    }
}
