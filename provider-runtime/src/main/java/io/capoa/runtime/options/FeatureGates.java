package io.capoa.runtime.options;

import java.util.Set;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Checks {@code --feature-gates}, {@code A=true,B=false}. This version has no gates: it accepts only the groups that every
 * component of Kubernetes knows, which change nothing.
 */
final class FeatureGates implements ITypeConverter<String> {

    private static final Set<String> GROUPS = Set.of("AllAlpha", "AllBeta");
    private static final Pattern GATE = Pattern.compile("\\s*([A-Za-z0-9]+)=(true|false)\\s*");

    @Override
    public String convert(String value) {
        for (String text : value.split(",", -1)) {
            var gate = GATE.matcher(text);
            if (!text.isBlank() && !gate.matches()) {
                throw new TypeConversionException(
                        "takes NAME=true or NAME=false, joined by commas, not \"" + text.strip() + "\"");
            }
            if (!text.isBlank() && !GROUPS.contains(gate.group(1))) {
                throw new TypeConversionException(
                        "there is no feature gate \"" + gate.group(1) + "\"; this version has none");
            }
        }
        return value;
    }
}
