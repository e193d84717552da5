package io.capoa.bootstrap.ignition;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.capoa.api.rules.node.IgnitionJson;
import io.capoa.api.rules.node.InvalidIgnitionException;
import io.capoa.api.rules.node.SpecVersion;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;

/**
 * An Ignition configuration of specification 3.x that keeps every field it was read with, known or not. Immutable; the
 * order of fields and entries is kept, so that equal input gives equal output.
 */
public final class Ignition {

    private final ObjectNode root;
    private final SpecVersion version;

    private Ignition(ObjectNode root, SpecVersion version) {
        this.root = root;
        this.version = version;
    }

    /** A configuration of version 3.1.0 that asks for nothing. */
    public static Ignition empty() {
        ObjectNode root = JsonNodeFactory.instance.objectNode();
        root.putObject("ignition").put("version", SpecVersion.OLDER_OVERRIDE.toString());
        return new Ignition(root, SpecVersion.OLDER_OVERRIDE);
    }

    /**
     * Reads a configuration.
     *
     * @param source what it is called in messages, such as "The discovery ignition of InfraEnv a/b"
     * @throws InvalidIgnitionException if it is not JSON, not an object, or of a version that is not supported
     */
    public static Ignition parse(byte[] json, String source) {
        IgnitionJson read = IgnitionJson.parse(json, source);
        return new Ignition(read.root(), read.version());
    }

    public static Ignition parse(String json, String source) {
        return parse(json.getBytes(StandardCharsets.UTF_8), source);
    }

    /** Whether the text is JSON at all, of whatever content. */
    public static boolean isJson(String text) {
        return IgnitionJson.isJson(text);
    }

    /** The version in the form {@code 3.1.0}. */
    public String version() {
        return version.toString();
    }

    /** This configuration with the child merged into it, as Ignition itself would: the child wins. */
    public Ignition merge(Ignition child) {
        ObjectNode merged = IgnitionMerge.merge(root, child.root);
        SpecVersion newer = version.compareTo(child.version) >= 0 ? version : child.version;
        ((ObjectNode) merged.get("ignition")).put("version", newer.toString());
        return new Ignition(merged, newer);
    }

    /**
     * Checks that the configuration is one that assisted-service takes as an override.
     *
     * @param oldest the oldest version that may be given
     * @throws InvalidIgnitionException if it is of an older version, or of a newer one than 3.2.0
     */
    Ignition requireOverrideVersion(SpecVersion oldest, String source) {
        new IgnitionJson(root, version).requireOverrideVersion(oldest, source);
        return this;
    }

    Ignition with(NodeFile file) {
        ObjectNode changed = root.deepCopy();
        changed.withObject("/storage").withArray("files").add(file.toJson());
        return new Ignition(changed, version);
    }

    Ignition with(Unit unit) {
        ObjectNode changed = root.deepCopy();
        changed.withObject("/systemd").withArray("units").add(unit.toJson());
        return new Ignition(changed, version);
    }

    /** The files it writes, as Ignition describes them. */
    public Stream<JsonNode> files() {
        return root.path("storage").path("files").valueStream();
    }

    /** The systemd units it writes, as Ignition describes them. */
    public Stream<JsonNode> units() {
        return root.path("systemd").path("units").valueStream();
    }

    /** The configuration as compact JSON. */
    public String toJson() {
        return root.toString();
    }

    @Override
    public String toString() {
        return "Ignition " + version;
    }
}
