import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;

/** What the API server says of its kinds. Every kind is in every group and version; a manager asks for none in a wrong one. */
final class Definitions {

    private static final ObjectMapper JSON = new ObjectMapper();

    private static final List<String> VERSIONS = List.of("v1", "v1alpha1", "v1alpha2", "v1alpha3", "v1beta1", "v1beta2");

    private static final List<String> CLUSTER_SCOPED = List.of("ClusterImageSet");
    private static final List<String> KINDS = List.of(
            "Agent",
            "AgentClusterInstall",
            "BareMetalHost",
            "Cluster",
            "ClusterDeployment",
            "ClusterImageSet",
            "InfraEnv",
            "Machine",
            "MachineDeployment",
            "MachineSet",
            "Metal3Machine",
            "Metal3MachineTemplate",
            "NMStateConfig",
            "OpenshiftAssistedConfig",
            "OpenshiftAssistedConfigTemplate",
            "OpenshiftAssistedControlPlane",
            "OpenshiftAssistedControlPlaneTemplate");

    private Definitions() {}

    /** The APIResourceList of a version. */
    static ObjectNode resources(String version) {
        ObjectNode list = JSON.createObjectNode()
                .put("kind", "APIResourceList")
                .put("apiVersion", "v1")
                .put("groupVersion", version);
        ArrayNode resources = list.putArray("resources");
        KINDS.forEach(kind -> resources
                .addObject()
                .put("name", kind.toLowerCase(Locale.ROOT) + "s")
                .put("singularName", kind.toLowerCase(Locale.ROOT))
                .put("namespaced", !CLUSTER_SCOPED.contains(kind))
                .put("kind", kind)
                .putArray("verbs")
                .add("get"));
        return list;
    }

    /** The CustomResourceDefinition of that name, with every version that a manager may read. */
    static ObjectNode definition(String name) {
        ObjectNode definition = JSON.createObjectNode()
                .put("apiVersion", "apiextensions.k8s.io/v1")
                .put("kind", "CustomResourceDefinition");
        ObjectNode metadata = definition.putObject("metadata").put("name", name).put("uid", name);
        metadata.putObject("labels").put("cluster.x-k8s.io/v1beta2", "v1beta1_v1beta2");
        ObjectNode spec = definition.putObject("spec").put("group", name.substring(name.indexOf('.') + 1));
        spec.putObject("names").put("plural", name.substring(0, name.indexOf('.')));
        ArrayNode versions = spec.putArray("versions");
        VERSIONS.forEach(version ->
                versions.addObject().put("name", version).put("served", true).put("storage", version.equals("v1beta1")));
        ObjectNode status = definition.putObject("status");
        status.putArray("storedVersions").add("v1beta1");
        status.putArray("conditions").addObject().put("type", "Established").put("status", "True");
        return definition;
    }
}
