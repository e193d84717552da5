package io.capoa.api.rules;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigSpec;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigSpec.KernelArgument;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigSpec.NodeRegistration;
import io.capoa.api.rules.node.InvalidNodeRegistrationException;
import io.capoa.api.rules.node.MetadataSource;
import io.capoa.api.rules.node.NodeValues;
import io.capoa.api.rules.node.NodeVariables;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Validates the settings of a host in a config, a template or a control plane. */
public final class ConfigSpecRules {

    private static final Set<String> ARCHITECTURES = Set.of("x86_64", "amd64", "aarch64", "arm64", "ppc64le", "s390x");
    /** Flags that assisted-service accepts. */
    private static final List<String> ALWAYS = List.of("--append-karg", "--delete-karg", "--copy-network", "-n");

    private static final List<String> ON_LIVE_ISOS =
            List.of("--network-dir", "--save-partlabel", "--save-partindex", "--image-url", "--image-file");
    private static final List<String> FLAGS =
            Stream.concat(ALWAYS.stream(), ON_LIVE_ISOS.stream()).toList();
    private static final String NODE_ROLE = "node-role.kubernetes.io/";

    private ConfigSpecRules() {}

    public static void check(Section section, @Nullable OpenshiftAssistedConfigSpec spec) {
        if (spec == null) {
            return;
        }
        CommonSettings.proxy(section.in("proxy"), spec.proxy());
        CommonSettings.sshKey(section.in("sshAuthorizedKey"), spec.sshAuthorizedKey());
        CommonSettings.certificates(section.in("additionalTrustBundle"), spec.additionalTrustBundle());
        CommonSettings.ntpServers(section, "additionalNTPSources", spec.additionalNTPSources());
        architecture(section.in("cpuArchitecture"), spec.cpuArchitecture());
        kernelArguments(section.in("kernelArguments"), spec.kernelArguments());
        installerArguments(section, spec.installerArgs());
        registration(section.in("nodeRegistration"), spec.nodeRegistration());
        hostname(section.in("hostnamePolicy"), spec);
        nodeLabels(section.in("nodeLabels"), spec.nodeLabels());
    }

    private static void architecture(Section field, @Nullable String value) {
        String architecture = Section.given(value);
        if (architecture != null && !ARCHITECTURES.contains(architecture)) {
            field.warn(architecture + " is no architecture that assisted-service is known to have images for: write"
                    + " x86_64, aarch64, ppc64le or s390x");
        }
    }

    private static void kernelArguments(Section list, @Nullable List<KernelArgument> arguments) {
        Set<String> added = new HashSet<>();
        Set<String> removed = new HashSet<>();
        for (KernelArgument argument : arguments == null ? List.<KernelArgument>of() : arguments) {
            if (argument.value() != null) {
                ("delete".equals(argument.operation()) ? removed : added).add(argument.value());
            }
        }
        added.retainAll(removed);
        added.stream()
                .sorted()
                .forEach(argument -> list.warn("both adds and deletes " + argument + ": leave one of the two out"));
    }

    /** assisted-service compares everything that begins with a hyphen with its list of flags, values too. */
    private static void installerArguments(Section owner, @Nullable List<String> arguments) {
        Set<String> live = new LinkedHashSet<>();
        for (int i = 0; arguments != null && i < arguments.size(); i++) {
            String argument = arguments.get(i);
            if (ON_LIVE_ISOS.contains(argument)) {
                live.add(argument);
            } else if (argument.startsWith("-") && !ALWAYS.contains(argument)) {
                owner.at("installerArgs", i)
                        .refuse(argument + " is no flag that assisted-service accepts: write one of "
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

    private static void registration(Section section, @Nullable NodeRegistration node) {
        if (node == null) {
            return;
        }
        List<String> labels = node.kubeletExtraLabels();
        for (int i = 0; labels != null && i < labels.size(); i++) {
            kubeletLabel(section.at("kubeletExtraLabels", i), labels.get(i));
        }
        String providerId = Section.given(node.providerID());
        if (providerId != null) {
            try {
                var unused = NodeValues.providerId(providerId);
            } catch (InvalidNodeRegistrationException e) {
                section.in("providerID")
                        .refuse("cannot be used: " + e.getMessage() + ": remove it on Metal3, which sets"
                                + " provider IDs itself; elsewhere write openstack://$METADATA_UUID, for example");
            }
        }
        metadata(section, node);
    }

    /** The setting and the source of its variables may come from different patches of a template. */
    private static void metadata(Section section, NodeRegistration node) {
        MetadataSource source;
        try {
            source = MetadataSource.of(node);
        } catch (InvalidNodeRegistrationException e) {
            section.in("metadataSource").refuse("cannot be used: " + e.getMessage());
            return;
        }
        NodeVariables.byField(node).forEach((field, variables) -> {
            for (String variable : variables) {
                source.problem(variable).ifPresent(section.in(field)::refuseTogether);
            }
        });
    }

    private static void kubeletLabel(Section entry, String label) {
        try {
            for (String line : NodeValues.labels(List.of(label))) {
                String value = line.substring(line.indexOf('=') + 1);
                String key = line.substring(0, line.indexOf('='));
                if (!LabelSyntax.isKey(key) || (!value.contains("${") && !LabelSyntax.isValue(value))) {
                    refuseLabel(entry);
                } else if (key.startsWith(NODE_ROLE)) {
                    entry.warn("is a role, which a kubelet may not give its own node: move it to nodeLabels");
                }
            }
        } catch (InvalidNodeRegistrationException e) {
            refuseLabel(entry);
        }
    }

    private static void refuseLabel(Section entry) {
        entry.refuse("is no label: write key=value, such as example.com/rack=r1; a value has up to 63 letters, digits,"
                + " -, _ and ., or is a variable such as $METADATA_UUID");
    }

    private static void hostname(Section field, OpenshiftAssistedConfigSpec spec) {
        String policy = Section.given(spec.hostnamePolicy());
        NodeRegistration node = spec.nodeRegistration();
        boolean named = node != null && Section.given(node.name()) != null;
        if (named && policy != null && !policy.equals(OpenshiftAssistedConfigSpec.HOSTNAME_NONE)) {
            field.refuseTogether(policy + " and nodeRegistration.name both name the host: leave one of the two out");
        }
    }

    private static void nodeLabels(Section field, @Nullable Map<String, String> labels) {
        new TreeMap<>(labels == null ? Map.of() : labels).forEach((key, value) -> {
            if (!LabelSyntax.isKey(key) || !LabelSyntax.isValue(value == null ? "" : value)) {
                field.refuse(key + " with its value is no label: write a key such as example.com/rack and a value of up"
                        + " to 63 letters, digits, -, _ and .");
            }
        });
    }
}
