package io.capoa.controlplane.workload.health;

import io.capoa.api.contract.Fields;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import okio.ByteString;

/**
 * What ClusterOperators report, to be compared with what they report later: of each, the UID and the conditions without their
 * times. A status alone is not enough, because only the messages name a member of etcd while the majority is there and the
 * operator not degraded yet. The resourceVersion would be too much and too little: each write changes it, and after etcd has
 * been restored from a backup it occurs again.
 *
 * @param digest of all of it; the cluster's administrator decides how long it is
 * @param version of the API server's state in which they do; empty if the changes since then cannot be asked for
 */
public record OperatorReports(String digest, String version) {

    private static final List<String> COMPARED = List.of("type", "status", "reason", "message");

    /** The order of the operators counts, that of their conditions does not. */
    static OperatorReports of(List<GenericKubernetesResource> operators, String version) {
        String all = operators.stream()
                .flatMap(OperatorReports::parts)
                .map(part -> part.length() + ":" + part)
                .collect(Collectors.joining());
        return new OperatorReports(ByteString.encodeUtf8(all).sha256().hex(), version);
    }

    /** Whether the others report the same, whenever that was. */
    boolean agreesWith(OperatorReports others) {
        return digest.equals(others.digest);
    }

    /** The same in a later state. */
    OperatorReports at(String later) {
        return new OperatorReports(digest, later);
    }

    private static Stream<String> parts(GenericKubernetesResource operator) {
        return Stream.concat(
                Stream.of(
                        operator.getMetadata().getName(),
                        String.valueOf(operator.getMetadata().getUid())),
                Fields.list(operator, "status", "conditions").stream()
                        .sorted(Comparator.comparing(condition -> Fields.text(condition, "type")))
                        .flatMap(condition -> COMPARED.stream().map(field -> Fields.text(condition, field))));
    }
}
