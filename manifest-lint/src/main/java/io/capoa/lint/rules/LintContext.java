package io.capoa.lint.rules;

import io.capoa.api.contract.Fields;
import io.capoa.api.untrusted.UntrustedContent;
import io.capoa.lint.manifest.Manifests;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a rule knows besides the workload.
 *
 * @param workloads the first {@value #MOST} that run a cloud controller manager or cloud node manager, since the time that
 *     the rules take grows with the square of their number; clusters have two or three
 * @param requested namespace and name of the Secrets that a CredentialsRequest asks for
 * @param singleNode whether the cluster has a single node
 */
record LintContext(Manifests manifests, List<Workload> workloads, Set<List<String>> requested, boolean singleNode) {

    static final int MOST = 100;

    /** With one workload more than is checked, where there are so many. */
    static LintContext of(Manifests manifests, boolean singleNode) {
        return new LintContext(
                manifests,
                manifests.objects().stream()
                        .flatMap(object -> Workload.of(object).stream())
                        .limit(MOST + 1L)
                        .toList(),
                manifests
                        .ofKind("CredentialsRequest")
                        .map(object -> Fields.any(object.content(), "spec", "secretRef"))
                        .map(secret -> List.of(
                                UntrustedContent.quoted(Fields.text(secret, "namespace")),
                                UntrustedContent.quoted(Fields.text(secret, "name"))))
                        .collect(Collectors.toUnmodifiableSet()),
                singleNode);
    }

    /** Whether the manifests have the Secret, or ask for it. */
    boolean providesSecret(String namespace, String name) {
        return manifests.has("Secret", namespace, name) || requested.contains(List.of(namespace, name));
    }
}
