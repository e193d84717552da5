package io.capoa.api.conversion;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** Converts objects of a provider's kinds between all versions that its CRDs serve. */
public final class ApiConversion {

    /** The version that is stored. */
    public static final String HUB = "v1beta1";

    private static final String BOOTSTRAP = "bootstrap.cluster.x-k8s.io";
    private static final String CONTROL_PLANE = "controlplane.cluster.x-k8s.io";
    private static final String CONFIG = "OpenshiftAssistedConfig";
    private static final String CONFIG_TEMPLATE = "OpenshiftAssistedConfigTemplate";
    private static final String OACP = "OpenshiftAssistedControlPlane";

    private final String hubVersion;
    private final List<OlderVersion> versions;

    private ApiConversion(String group, List<OlderVersion> versions) {
        this.hubVersion = group + "/" + HUB;
        this.versions = List.copyOf(versions);
    }

    /** The kinds of the bootstrap provider. */
    public static ApiConversion bootstrap() {
        OlderSchemas schemas = OlderSchemas.load();
        return new ApiConversion(
                BOOTSTRAP,
                List.of(
                        new OlderVersion(schemas, BOOTSTRAP, "v1alpha1", CONFIG, ConfigMappings.V1ALPHA1),
                        new OlderVersion(schemas, BOOTSTRAP, "v1alpha2", CONFIG, ConfigMappings.V1ALPHA2),
                        new OlderVersion(schemas, BOOTSTRAP, "v1alpha1", CONFIG_TEMPLATE, ConfigMappings.TEMPLATES),
                        new OlderVersion(schemas, BOOTSTRAP, "v1alpha2", CONFIG_TEMPLATE, ConfigMappings.TEMPLATES)));
    }

    /** The kinds of the control-plane provider. */
    public static ApiConversion controlPlane() {
        OlderSchemas schemas = OlderSchemas.load();
        return new ApiConversion(
                CONTROL_PLANE,
                List.of(
                        new OlderVersion(schemas, CONTROL_PLANE, "v1alpha2", OACP, ControlPlaneMappings.V1ALPHA2),
                        new OlderVersion(schemas, CONTROL_PLANE, "v1alpha3", OACP, ControlPlaneMappings.V1ALPHA3)));
    }

    /** Every older version of every kind. */
    public List<OlderVersion> olderVersions() {
        return versions;
    }

    /**
     * Converts one object; its metadata keep everything but annotations of the conversion. The result shares parts with the
     * object, which is left as it is: change neither of them afterwards without a copy.
     *
     * @param apiVersion group and version to convert to
     * @throws UnconvertibleException if kind or version are not ours; never because of the object's content
     */
    public ObjectNode convert(ObjectNode object, String apiVersion) throws UnconvertibleException {
        String kind = object.path("kind").asText();
        String from = object.path("apiVersion").asText();
        if (from.equals(apiVersion)) {
            return object;
        }
        ObjectNode hub = from.equals(hubVersion) ? object : older(kind, from).toHub(object);
        return apiVersion.equals(hubVersion) ? hub : older(kind, apiVersion).fromHub(hub);
    }

    private OlderVersion older(String kind, String apiVersion) throws UnconvertibleException {
        return versions.stream()
                .filter(version ->
                        version.kind().equals(kind) && version.apiVersion().equals(apiVersion))
                .findFirst()
                .orElseThrow(() -> new UnconvertibleException(
                        "%s of %s is not converted here: correct spec.conversion of its CustomResourceDefinition"
                                .formatted(kind, apiVersion)));
    }
}
