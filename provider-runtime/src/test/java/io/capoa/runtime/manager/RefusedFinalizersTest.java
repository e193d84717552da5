package io.capoa.runtime.manager;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which objects get their finalizer through an older version. */
class RefusedFinalizersTest {

    private static final String FINALIZER = "lab.example/one";

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {metadata: {name: a}}                                                               | 422 | true
            {metadata: {name: a}}                                                               | 409 | false
            {metadata: {name: a}}                                                               | 500 | false
            {metadata: {name: a}, spec: {distributionVersion: 4.20.0}}                          | 422 | false
            {metadata: {name: a, finalizers: [lab.example/two]}}                                | 422 | true
            {metadata: {name: a, finalizers: [lab.example/one]}}                                | 422 | false
            {metadata: {name: a, deletionTimestamp: '2026-01-01T00:00:00Z'}}                    | 422 | false
            """)
    void oneWithoutSpec_ofWhichTheApiServerTakesNoWrite(String yaml, int code, boolean refused) {
        assertThat(RefusedFinalizers.isRefused(controlPlane(yaml), FINALIZER, failure(code)))
                .isEqualTo(refused);
    }

    @Test
    void valuesThatAnOlderVersionWouldDrop_areKept() {
        OpenshiftAssistedControlPlane controlPlane = controlPlane("{metadata: {name: a}}");
        controlPlane.readWithout(List.of("spec has a value of another type than the field: correct it"));

        assertThat(RefusedFinalizers.isRefused(controlPlane, FINALIZER, failure(422)))
                .isFalse();
    }

    @Test
    void anotherFailure_isNoRefusal() {
        assertThat(RefusedFinalizers.isRefused(
                        controlPlane("{metadata: {name: a}}"), FINALIZER, new IllegalStateException("422")))
                .isFalse();
    }

    private static OpenshiftAssistedControlPlane controlPlane(String yaml) {
        return Serialization.unmarshal("---\n" + yaml, OpenshiftAssistedControlPlane.class);
    }

    private static KubernetesClientException failure(int code) {
        return new KubernetesClientException(
                "refused", code, new StatusBuilder().withCode(code).build());
    }
}
