package io.capoa.lint.rules;

import static io.capoa.lint.rules.WorkloadRule.blocking;
import static io.capoa.lint.rules.WorkloadRule.warning;

import io.capoa.api.rules.ImageReference;
import io.capoa.lint.manifest.Container;
import io.capoa.lint.manifest.Finding;
import io.capoa.lint.manifest.Workload;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
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
        return workload.containers().isEmpty()
                ? blocking(
                        workload,
                        workload.path("containers"),
                        "there are no containers",
                        "and the API server refuses the object",
                        "add the container cloud-controller-manager")
                : Stream.empty();
    }

    private static Stream<Finding> image(Workload workload, LintContext context) {
        return all(workload, "image", container -> container.image().isBlank())
                .flatMap(path -> blocking(
                        workload,
                        path,
                        "there is no image",
                        "and the API server refuses the object",
                        "write the image with its digest"));
    }

    private static Stream<Finding> template(Workload workload, LintContext context) {
        return all(workload, "", ContainerRules::hasPlaceholder)
                .flatMap(path -> blocking(
                        workload,
                        path,
                        "the placeholder of a template is left",
                        "which nothing replaces here",
                        "render the template before you add it"));
    }

    private static Stream<Finding> imageName(Workload workload, LintContext context) {
        return all(
                        workload,
                        "image",
                        container -> !container.image().isBlank()
                                && !hasPlaceholder(container)
                                && !isImage(container.image()))
                .flatMap(path -> blocking(
                        workload,
                        path,
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
        return each(workload, "resources.requests", container -> !isGiven(container, "requests"))
                .flatMap(path -> warning(
                        workload,
                        path,
                        "cpu or memory is not requested",
                        "and a busy node starves or evicts the container",
                        "write cpu: 200m and memory: 50Mi, for example"));
    }

    private static Stream<Finding> limits(Workload workload, LintContext context) {
        return each(
                        workload,
                        "resources.limits",
                        container -> container.field("resources", "limits") instanceof Map<?, ?> map && !map.isEmpty())
                .flatMap(path -> warning(
                        workload,
                        path,
                        "resources are limited",
                        "and the container is throttled or killed when the cluster grows",
                        "remove the limits, keep the requests"));
    }

    /** The route controller is on by default, and fails without the pod network that it expects from its flags. */
    private static Stream<Finding> routes(Workload workload, LintContext context) {
        Container container = workload.mainContainer();
        return workload.isNodeManager()
                        || container == null
                        || !container.runsController("node-route-controller", "route")
                        || container
                                .flag("configure-cloud-routes")
                                .map("false"::equals)
                                .orElse(false)
                ? Stream.empty()
                : warning(
                        workload,
                        path(workload, container, "command"),
                        "routes in the cloud are configured",
                        "but OpenShift's network plug-in routes pods itself",
                        "write --configure-cloud-routes=false");
    }

    private static Stream<Finding> podNetworks(Workload workload, LintContext context) {
        Container container = workload.mainContainer();
        return container == null
                        || !container
                                .flag("allocate-node-cidrs")
                                .map("true"::equals)
                                .orElse(false)
                ? Stream.empty()
                : warning(
                        workload,
                        path(workload, container, "command"),
                        "pod networks are allocated to Nodes",
                        "but OpenShift's network plug-in allocates its own",
                        "remove --allocate-node-cidrs");
    }

    private static Stream<Finding> terminationMessage(Workload workload, LintContext context) {
        return each(
                        workload,
                        "terminationMessagePolicy",
                        container -> !"FallbackToLogsOnError".equals(container.field("terminationMessagePolicy")))
                .flatMap(path -> warning(
                        workload,
                        path,
                        "a crash leaves no message in the pod's status",
                        "and logs cannot be read while the cluster is being installed",
                        "write FallbackToLogsOnError"));
    }

    private static boolean isGiven(Container container, String kind) {
        return container.field("resources", kind, "cpu") != null
                && container.field("resources", kind, "memory") != null;
    }

    private static Stream<String> each(Workload workload, String field, Predicate<Container> isWrong) {
        return workload.containers().stream().filter(isWrong).map(container -> path(workload, container, field));
    }

    /** Of init containers too. */
    private static Stream<String> all(Workload workload, String field, Predicate<Container> isWrong) {
        return workload.allContainers().stream().filter(isWrong).map(container -> path(workload, container, field));
    }

    private static String path(Workload workload, Container container, String field) {
        return workload.path(container.path() + (field.isEmpty() ? "" : "." + field));
    }
}
