package io.capoa.controlplane.install;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.capoa.api.controlplane.v1beta1.ClusterConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The install-config's {@code capabilities}: OpenShift's optional components.
 *
 * <p>On platform BareMetal the default leaves out {@code MachineAPI}, because Cluster API manages the machines; on
 * other platforms OpenShift's own default applies unless the user sets one. To the baseline None, what the installer
 * requires of the platform is added: it refuses a cloud platform without these capabilities.
 */
final class Capabilities {

    private static final String BASELINE = "baselineCapabilitySet";
    private static final String ADDITIONAL = "additionalEnabledCapabilities";
    private static final String MACHINE_API = "MachineAPI";
    private static final Pattern BASELINES = Pattern.compile("None|vCurrent|v4\\.\\d+");
    private static final List<String> BARE_METAL_DEFAULTS = List.of(
            "baremetal",
            "Console",
            "Insights",
            "OperatorLifecycleManager",
            "Ingress",
            "marketplace",
            "NodeTuning",
            "DeploymentConfig");

    private static final String CLOUD_CONTROLLER_MANAGER = "CloudControllerManager";
    private static final List<String> CLOUD_REQUIREMENTS =
            List.of(CLOUD_CONTROLLER_MANAGER, "CloudCredential", "Ingress");
    private static final List<String> EXTERNAL_REQUIREMENTS = List.of(CLOUD_CONTROLLER_MANAGER, "Ingress");

    private final @Nullable String baseline;
    private final List<String> additional;
    private final Platform platform;
    private final boolean usersCloudControllerManager;

    Capabilities(@Nullable ClusterConfig config, Platform platform) {
        this.platform = platform;
        this.usersCloudControllerManager = Platform.hasUsersCloudControllerManager(config);
        ClusterConfig.Capabilities asked = config == null ? null : config.capabilities();
        String set = asked == null ? null : asked.baselineCapability();
        this.baseline = set == null || set.isEmpty() ? null : set;
        List<String> more = asked == null ? null : asked.additionalEnabledCapabilities();
        this.additional = more == null ? List.of() : more;
    }

    /** Why the baseline is invalid; {@code null} if it is valid. */
    @Nullable
    String invalid() {
        if (baseline == null || BASELINES.matcher(baseline).matches()) {
            return null;
        }
        return "invalid baseline capability set, must be one of: None, vCurrent, or v4.x. Got: [" + baseline + "]";
    }

    /** Whether the installer's default is overridden. */
    boolean wanted() {
        return platform == Platform.BARE_METAL || baseline != null || !additional.isEmpty();
    }

    JsonNode json() {
        return over(null);
    }

    /** Merges the capabilities into those of the install-config annotation. */
    ObjectNode over(@Nullable ObjectNode annotated) {
        ObjectNode merged = InstallConfig.JSON.createObjectNode();
        String set = baseline(annotated);
        merged.put(BASELINE, set);
        if (annotated != null) {
            annotated.properties().stream()
                    .filter(field ->
                            !field.getKey().equals(BASELINE) && !field.getKey().equals(ADDITIONAL))
                    .forEach(field -> merged.set(field.getKey(), field.getValue()));
        }
        List<String> names = new ArrayList<>();
        add(names, required(set));
        add(names, additional);
        if (annotated != null && annotated.path(ADDITIONAL).isArray()) {
            annotated.path(ADDITIONAL).forEach(name -> add(names, List.of(name.asText())));
        }
        if (!names.isEmpty()) {
            merged.set(ADDITIONAL, InstallConfig.array(names));
        }
        return merged;
    }

    private String baseline(@Nullable ObjectNode annotated) {
        if (baseline != null) {
            return baseline;
        }
        if (annotated != null && annotated.path(BASELINE).isTextual()) {
            return annotated.path(BASELINE).asText();
        }
        return platform == Platform.BARE_METAL ? "None" : "vCurrent";
    }

    /** Capabilities besides the baseline set, which has them already unless it is None. */
    private List<String> required(String set) {
        if (platform == Platform.BARE_METAL) {
            return BARE_METAL_DEFAULTS;
        }
        if (!set.equals("None")) {
            return List.of();
        }
        return switch (platform) {
            case VSPHERE, NUTANIX -> CLOUD_REQUIREMENTS;
            case EXTERNAL -> usersCloudControllerManager ? EXTERNAL_REQUIREMENTS : List.of();
            default -> List.of();
        };
    }

    private void add(List<String> names, List<String> more) {
        for (String name : more) {
            boolean excluded = platform == Platform.BARE_METAL && name.equalsIgnoreCase(MACHINE_API);
            if (!excluded && names.stream().noneMatch(name::equalsIgnoreCase)) {
                names.add(name);
            }
        }
    }
}
