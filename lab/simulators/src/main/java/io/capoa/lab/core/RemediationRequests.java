package io.capoa.lab.core;

import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Creates and deletes the objects by which another controller remediates a Machine; each is named like its Machine. */
final class RemediationRequests {

    private final Externals externals;

    RemediationRequests(Externals externals) {
        this.externals = externals;
    }

    /** The template that a check refers to, or {@code null}. */
    static @Nullable Reference template(MachineHealthCheck check) {
        Map<String, Object> ref = Fields.map(check, "spec", "remediation", "templateRef");
        if (ref.isEmpty()) {
            return null;
        }
        return new Reference(
                check.getMetadata().getNamespace(),
                Fields.text(ref, "apiVersion").replaceFirst("/.*", ""),
                Fields.text(ref, "kind"),
                Fields.text(ref, "name"));
    }

    boolean exists(Reference template, Machine machine) {
        return externals.get(request(template, machine)) != null;
    }

    /** Clones the template; {@code false} if it does not exist. */
    boolean create(Reference template, Machine machine) {
        GenericKubernetesResource from = externals.get(template);
        if (from == null) {
            return false;
        }
        GenericKubernetesResource request = new GenericKubernetesResource();
        request.setMetadata(new ObjectMetaBuilder()
                .withName(machine.getMetadata().getName())
                .withNamespace(template.namespace())
                .addToLabels(Contract.CLUSTER_NAME, Listings.clusterKey(machine).name())
                .addToAnnotations(Contract.CLONED_FROM_NAME, template.name())
                .addToAnnotations(Contract.CLONED_FROM_GROUP_KIND, template.kind() + "." + template.apiGroup())
                .withOwnerReferences(Contract.owner(machine))
                .build());
        request.setAdditionalProperties(Map.of("spec", Fields.map(from, "spec", "template", "spec")));
        externals.create(request(template, machine), request);
        return true;
    }

    /** Deletes the request of a Machine that is healthy again, if there is one. */
    void delete(Reference template, Machine machine) {
        GenericKubernetesResource request = externals.get(request(template, machine));
        if (request != null && !Contract.isDeleting(request)) {
            externals.delete(request(template, machine));
        }
    }

    private static Reference request(Reference template, Machine machine) {
        return new Reference(
                template.namespace(),
                template.apiGroup(),
                template.kind().replaceFirst("Template$", ""),
                machine.getMetadata().getName());
    }
}
