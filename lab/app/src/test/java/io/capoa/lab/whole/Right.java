package io.capoa.lab.whole;

import io.capoa.lab.cluster.AuditEntry;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * One right of a role.
 *
 * @param resource with its subresource, {@code machines/status}
 */
record Right(String verb, String group, String resource) implements Comparable<Right> {

    /** All rights of a role, one by one. */
    static SortedSet<Right> granted(ClusterRole role) {
        SortedSet<Right> rights = new TreeSet<>();
        for (PolicyRule rule : role.getRules()) {
            for (String group : rule.getApiGroups()) {
                for (String resource : rule.getResources()) {
                    rule.getVerbs().forEach(verb -> rights.add(new Right(verb, group, resource)));
                }
            }
        }
        return rights;
    }

    /**
     * The rights that a request needed. A server-side apply that creates also needs create; a list is followed by a
     * watch, which is in the log only after its end.
     */
    static Stream<Right> needed(AuditEntry request) {
        String resource =
                request.subresource().isEmpty() ? request.resource() : request.resource() + "/" + request.subresource();
        Right asked = new Right(request.verb(), request.apiGroup(), resource);
        if (request.verb().equals("list")) {
            return Stream.of(asked, new Right("watch", request.apiGroup(), resource));
        }
        return request.verb().equals("patch") && request.code() == 201
                ? Stream.of(asked, new Right("create", request.apiGroup(), resource))
                : Stream.of(asked);
    }

    @Override
    public int compareTo(Right other) {
        return toString().compareTo(other.toString());
    }

    @Override
    public String toString() {
        return verb + " " + resource + (group.isEmpty() ? "" : "." + group);
    }
}
