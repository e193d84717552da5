package io.capoa.api.rules;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigSpec;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigSpec.NodeRegistration;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigTemplate;
import io.capoa.api.rules.node.InvalidNodeRegistrationException;
import io.capoa.api.rules.node.MetadataSource;
import io.capoa.api.rules.node.NodeValues;
import io.capoa.api.rules.node.NodeVariables;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Validates the settings of a host in a config, a template or a control plane. */
public final class ConfigSpecRules {

    private static final Set<String> ARCHITECTURES = Set.of("x86_64", "amd64", "aarch64", "arm64", "ppc64le", "s390x");
    private static final String NODE_ROLE = "node-role.kubernetes.io/";

    /** Kubernetes' syntax of label keys and values. */
    private static final Pattern LABEL_NAME = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?");

    private static final Pattern LABEL_PREFIX =
            Pattern.compile("(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*");

    private ConfigSpecRules() {}

    /** Checks a config template: its settings, and the annotations of the configs that are created from it. */
    public static void checkTemplate(OpenshiftAssistedConfigTemplate object, Findings findings) {
        var spec = object.getSpec();
        if (spec == null || spec.template() == null) {
            return;
        }
        Section template = new Section("spec.template", true, findings);
        var metadata = spec.template().metadata();
        IgnitionOverrides.check(template, metadata == null ? null : metadata.annotations());
        check(template.in("spec"), spec.template().spec());
    }

    public static void check(Section section, @Nullable OpenshiftAssistedConfigSpec spec) {
        if (spec == null) {
            return;
        }
        CommonSettings.proxy(section.in("proxy"), spec.proxy());
        CommonSettings.sshKey(section.in("sshAuthorizedKey"), spec.sshAuthorizedKey());
        CommonSettings.certificates(section.in("additionalTrustBundle"), spec.additionalTrustBundle());
        CommonSettings.ntpServers(section, "additionalNTPSources", spec.additionalNTPSources());
        architecture(section.in("cpuArchitecture"), spec.cpuArchitecture());
        InstallerArguments.check(section, spec);
        DiskHintRules.check(section.in("installationDisk"), spec.installationDisk());
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
                if (!isLabelKey(key) || (!NodeValues.hasVariable(line) && !isLabelValue(value))) {
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
            if (!isLabelKey(key) || !isLabelValue(value == null ? "" : value)) {
                field.refuse(key + " with its value is no label: write a key such as example.com/rack and a value of up"
                        + " to 63 letters, digits, -, _ and .");
            }
        });
    }

    private static boolean isLabelKey(String text) {
        int slash = text.indexOf('/');
        return LABEL_NAME.matcher(text.substring(slash + 1)).matches()
                && (slash < 0 || LABEL_PREFIX.matcher(text.substring(0, slash)).matches());
    }

    private static boolean isLabelValue(String text) {
        return text.isEmpty() || LABEL_NAME.matcher(text).matches();
    }
}
