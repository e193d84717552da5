package io.capoa.runtime.manager;

import java.util.Arrays;
import java.util.Collections;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Features that are switched on or off by name, in the notation of Cluster API and Kubernetes.
 *
 * @param enabled names of those that are on
 */
record FeatureGates(SortedSet<String> enabled) {

    static final FeatureGates NONE = new FeatureGates(Collections.emptySortedSet());

    /** Gates of this version; a feature that needs one adds its name. */
    private static final Set<String> KNOWN = Set.of();

    /** Names that stand for all gates of a maturity, known to every component of Kubernetes. */
    private static final Set<String> GROUPS = Set.of("AllAlpha", "AllBeta");

    private static final Pattern GATE = Pattern.compile("\\s*([A-Za-z0-9]+)=(true|false)\\s*");

    /** Reads {@code A=true,B=false}. */
    static final class Converter implements ITypeConverter<FeatureGates> {

        @Override
        public FeatureGates convert(String value) {
            var enabled = new TreeSet<String>();
            Arrays.stream(value.split(",", -1))
                    .filter(gate -> !gate.isBlank())
                    .map(Converter::gate)
                    .filter(gate ->
                            !GROUPS.contains(gate.group(1)) && gate.group(2).equals("true"))
                    .forEach(gate -> enabled.add(gate.group(1)));
            return new FeatureGates(enabled);
        }

        private static Matcher gate(String text) {
            var gate = GATE.matcher(text);
            if (!gate.matches()) {
                throw new TypeConversionException(
                        "takes NAME=true or NAME=false, joined by commas, not \"" + text.strip() + "\"");
            }
            var name = gate.group(1);
            if (!KNOWN.contains(name) && !GROUPS.contains(name)) {
                throw new TypeConversionException("there is no feature gate \"" + name + "\"; this version has "
                        + (KNOWN.isEmpty() ? "none" : String.join(", ", new TreeSet<>(KNOWN))));
            }
            return gate;
        }
    }
}
