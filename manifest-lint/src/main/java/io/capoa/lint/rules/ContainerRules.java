package io.capoa.lint.rules;

import io.capoa.api.contract.Fields;
import io.capoa.api.rules.ImageReference;
import io.capoa.lint.manifest.Finding;
import java.util.List;
import java.util.stream.Stream;

/** Images, flags and resources of the containers. */
final class ContainerRules {

    static final List<WorkloadRule> ALL = List.of(
            ContainerRules::none,
            ContainerRules::image,
            ContainerRules::imageName,
            ContainerRules::template,
            ContainerRules::requests,
            ContainerRules::limits,
            ContainerRules::routes,
            ContainerRules::podNetworks,
            ContainerRules::terminationMessage);

    private ContainerRules() {}

    private static Stream<Finding> none(Workload workload, LintContext context) {
        return workload.blockingIf(
                workload.containers().isEmpty(),
                workload.path("containers"),
                "there are no containers",
                "and the API server refuses the object",
                "add the container cloud-controller-manager");
    }

    private static Stream<Finding> image(Workload workload, LintContext context) {
        return workload.allContainers().stream()
                .filter(container -> container.image().isBlank())
                .flatMap(container -> workload.blocking(
                        workload.path(container, "image"),
                        "there is no image",
                        "and the API server refuses the object",
                        "write the image with its digest"));
    }

    private static Stream<Finding> template(Workload workload, LintContext context) {
        return workload.allContainers().stream()
                .filter(ContainerRules::hasPlaceholder)
                .flatMap(container -> workload.blocking(
                        workload.path(container.path()),
                        "the placeholder of a template is left",
                        "which nothing replaces here",
                        "render the template before you add it"));
    }

    private static Stream<Finding> imageName(Workload workload, LintContext context) {
        return workload.allContainers().stream()
                .filter(container ->
                        !container.image().isBlank() && !hasPlaceholder(container) && !isImage(container.image()))
                .flatMap(container -> workload.blocking(
                        workload.path(container, "image"),
                        "it is not the name of an image",
                        "and the kubelet cannot pull it",
                        "write registry, repository, and tag or digest, in lower case"));
    }

    private static boolean isImage(String image) {
        try {
            ImageReference.parse(image.replaceFirst("@.*", ""));
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** Kubernetes replaces {@code $(A)} in commands alone, and a shell the other forms. */
    private static boolean hasPlaceholder(Container container) {
        return (container.image() + container.commandLine()).contains("{{")
                || container.image().contains("$")
                || (!container.hasShell() && container.commandLine().contains("${"));
    }

    private static Stream<Finding> requests(Workload workload, LintContext context) {
        return workload.containers().stream()
                .filter(container -> container.field("resources", "requests", "cpu") == null
                        || container.field("resources", "requests", "memory") == null)
                .flatMap(container -> workload.warning(
                        workload.path(container, "resources.requests"),
                        "cpu or memory is not requested",
                        "and a busy node starves or evicts the container",
                        "write cpu: 200m and memory: 50Mi, for example"));
    }

    private static Stream<Finding> limits(Workload workload, LintContext context) {
        return workload.containers().stream()
                .filter(container ->
                        !Fields.map(container.content(), "resources", "limits").isEmpty())
                .flatMap(container -> workload.warning(
                        workload.path(container, "resources.limits"),
                        "resources are limited",
                        "and the container is throttled or killed when the cluster grows",
                        "remove the limits, keep the requests"));
    }

    /** The route controller is on by default, and fails without the pod network that it expects from its flags. */
    private static Stream<Finding> routes(Workload workload, LintContext context) {
        return workload.mainContainer()
                .filter(container -> !workload.isNodeManager()
                        && container.runsController("node-route-controller", "route")
                        && !container.hasFlag("configure-cloud-routes", "false"))
                .flatMap(container -> workload.warning(
                        workload.path(container, "command"),
                        "routes in the cloud are configured",
                        "but OpenShift's network plug-in routes pods itself",
                        "write --configure-cloud-routes=false"));
    }

    private static Stream<Finding> podNetworks(Workload workload, LintContext context) {
        return workload.mainContainer()
                .filter(container -> container.hasFlag("allocate-node-cidrs", "true"))
                .flatMap(container -> workload.warning(
                        workload.path(container, "command"),
                        "pod networks are allocated to Nodes",
                        "but OpenShift's network plug-in allocates its own",
                        "remove --allocate-node-cidrs"));
    }

    private static Stream<Finding> terminationMessage(Workload workload, LintContext context) {
        return workload.containers().stream()
                .filter(container -> !"FallbackToLogsOnError".equals(container.field("terminationMessagePolicy")))
                .flatMap(container -> workload.warning(
                        workload.path(container, "terminationMessagePolicy"),
                        "a crash leaves no message in the pod's status",
                        "and logs cannot be read while the cluster is being installed",
                        "write FallbackToLogsOnError"));
    }
}
