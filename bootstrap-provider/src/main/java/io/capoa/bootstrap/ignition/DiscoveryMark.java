package io.capoa.bootstrap.ignition;

import com.fasterxml.jackson.databind.JsonNode;
import io.capoa.api.rules.node.InvalidIgnitionException;
import java.util.Optional;
import okio.ByteString;

/**
 * A file in a discovery ignition that shows what assisted-service made the ignition from.
 *
 * <p>assisted-service follows a changed InfraEnv or NMStateConfig seconds later and publishes nowhere that it has. The mark
 * is part of the InfraEnv's override and changes with everything else: an ignition that has the present mark was made from
 * the present InfraEnv, and from the NMStateConfigs of that time or later.
 *
 * @param inputs fingerprint of what the ignition is to be made from
 */
public record DiscoveryMark(String inputs) {

    private static final String PATH = "/etc/capoa/discovery-inputs";

    /** The mark for an ignition that is made from these texts, among others. */
    public static DiscoveryMark of(String... inputs) {
        return new DiscoveryMark(
                ByteString.encodeUtf8(String.join("\n", inputs)).sha256().hex().substring(0, 32));
    }

    /** The mark in an override, or in an ignition that was made with it. */
    public static Optional<DiscoveryMark> in(Ignition ignition) {
        return ignition.files()
                .filter(file -> file.path("path").asText().equals(PATH))
                .map(file -> file.path("contents").path("source"))
                .flatMap(source -> content(source).stream())
                .map(DiscoveryMark::new)
                .findFirst();
    }

    /** The mark in the text of an override; empty if the text is none. */
    public static Optional<DiscoveryMark> inOverride(String override) {
        try {
            return in(Ignition.parse(override, "The override"));
        } catch (InvalidIgnitionException foreign) {
            return Optional.empty();
        }
    }

    /** The override with the mark in it. */
    public Ignition addTo(Ignition override) {
        return override.with(new NodeFile(PATH, NodeFile.VALUE, inputs));
    }

    private static Optional<String> content(JsonNode source) {
        String url = source.asText();
        return Optional.ofNullable(ByteString.decodeBase64(url.substring(url.indexOf(',') + 1)))
                .map(ByteString::utf8);
    }
}
