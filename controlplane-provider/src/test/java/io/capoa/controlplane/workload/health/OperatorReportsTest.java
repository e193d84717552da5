package io.capoa.controlplane.workload.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class OperatorReportsTest {

    private static final String MORNING = "2026-11-24T08:00:00Z";
    private static final String EVENING = "2026-11-24T20:00:00Z";

    private final OperatorReports before = reports(
            "u-1", "7", condition("Available", "True", "3 members are available", MORNING), notDegraded(MORNING));

    @Test
    void aWriteThatReportsNothingElse_isNoChange() {
        assertThat(reports(
                        "u-1",
                        "8",
                        notDegraded(EVENING),
                        condition("Available", "True", "3 members are available", EVENING)))
                .matches(before::agreesWith)
                .isNotEqualTo(before);
    }

    @Test
    void aMessageAlone_isAChange() {
        assertThat(reports(
                        "u-1",
                        "7",
                        condition("Available", "True", "2 of 3 members are available, n-1 is unhealthy", MORNING),
                        notDegraded(MORNING)))
                .doesNotMatch(before::agreesWith);
    }

    @Test
    void anOperatorThatIsRecreated_orGone_isAChange() {
        assertThat(reports(
                        "u-2",
                        "7",
                        condition("Available", "True", "3 members are available", MORNING),
                        notDegraded(MORNING)))
                .doesNotMatch(before::agreesWith);
        assertThat(OperatorReports.of(List.of(), "7")).doesNotMatch(before::agreesWith);
    }

    private static OperatorReports reports(String uid, String resourceVersion, Map<?, ?>... conditions) {
        GenericKubernetesResource etcd = new GenericKubernetesResource();
        etcd.setMetadata(new ObjectMetaBuilder()
                .withName("etcd")
                .withUid(uid)
                .withResourceVersion(resourceVersion)
                .build());
        etcd.setAdditionalProperty(
                "status", Map.of("conditions", Stream.of(conditions).toList()));
        return OperatorReports.of(List.of(etcd), resourceVersion);
    }

    private static Map<String, String> notDegraded(String since) {
        return condition("Degraded", "False", "No unhealthy members found", since);
    }

    private static Map<String, String> condition(String type, String status, String message, String since) {
        return Map.of(
                "type",
                type,
                "status",
                status,
                "reason",
                "AsExpected",
                "message",
                message,
                "lastTransitionTime",
                since);
    }
}
