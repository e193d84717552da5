package io.capoa.api.rules;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigSpec;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigSpec.KernelArgument;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Validates what the installer is called with: its arguments, and the kernel arguments, which become some of them. */
final class InstallerArguments {

    /** Flags that assisted-service accepts. */
    private static final List<String> ALWAYS = List.of("--append-karg", "--delete-karg", "--copy-network", "-n");

    private static final List<String> ON_LIVE_ISOS =
            List.of("--network-dir", "--save-partlabel", "--save-partindex", "--image-url", "--image-file");
    private static final List<String> FLAGS =
            Stream.concat(ALWAYS.stream(), ON_LIVE_ISOS.stream()).toList();

    /** A character that assisted-service does not accept in a value. */
    private static final Pattern UNACCEPTED = Pattern.compile("[^A-Za-z0-9@!#$%*()_+,./:;<=\"'{}\\[\\]-]");

    private InstallerArguments() {}

    static void check(Section owner, OpenshiftAssistedConfigSpec spec) {
        kernelArguments(owner, spec.kernelArguments());
        installerArguments(owner, spec.installerArgs());
    }

    private static void kernelArguments(Section owner, @Nullable List<KernelArgument> arguments) {
        Set<String> added = new HashSet<>();
        Set<String> removed = new HashSet<>();
        for (int i = 0; arguments != null && i < arguments.size(); i++) {
            KernelArgument argument = arguments.get(i);
            if (argument.value() == null) {
                continue;
            }
            Section entry = owner.at("kernelArguments", i).in("value");
            if (argument.value().startsWith("-")) {
                entry.refuse("begins with a hyphen, which assisted-service takes for a flag of the installer: write an"
                        + " argument of the kernel, such as quiet or console=ttyS0");
            } else {
                characters(entry, argument.value());
            }
            ("delete".equals(argument.operation()) ? removed : added).add(argument.value());
        }
        added.retainAll(removed);
        added.stream()
                .sorted()
                .forEach(argument -> owner.in("kernelArguments")
                        .warn("both adds and deletes " + argument + ": leave one of the two out"));
    }

    /** assisted-service compares everything that begins with a hyphen with its list of flags, values too. */
    private static void installerArguments(Section owner, @Nullable List<String> arguments) {
        Set<String> live = new LinkedHashSet<>();
        for (int i = 0; arguments != null && i < arguments.size(); i++) {
            String argument = arguments.get(i);
            Section entry = owner.at("installerArgs", i);
            if (ON_LIVE_ISOS.contains(argument)) {
                live.add(argument);
            } else if (!argument.startsWith("-")) {
                characters(entry, argument);
            } else if (!ALWAYS.contains(argument)) {
                entry.refuse(argument + " is no flag that assisted-service accepts: write one of "
                        + String.join(", ", FLAGS) + ", and the value of a flag as the next entry");
            }
        }
        if (!live.isEmpty()) {
            // Another object determines how the host boots, so the warning covers both cases.
            owner.in("installerArgs")
                    .warn(String.join(", ", live)
                            + " has an effect only where the host boots a live ISO: with a disk image assisted-service"
                            + " uses --append-karg, --delete-karg and --copy-network alone");
        }
    }

    private static void characters(Section entry, String value) {
        if (value.isEmpty()) {
            entry.refuse("is empty, which assisted-service refuses: write a value, or remove the entry");
            return;
        }
        Matcher unaccepted = UNACCEPTED.matcher(value);
        if (unaccepted.find()) {
            entry.refuse("has " + name(unaccepted.group())
                    + ", which assisted-service does not pass on to the installer: write it without, or set it with a"
                    + " MachineConfig in config.manifestsConfigMapRefs");
        }
    }

    private static String name(String character) {
        return character.isBlank() ? "a blank" : "the character " + character;
    }
}
