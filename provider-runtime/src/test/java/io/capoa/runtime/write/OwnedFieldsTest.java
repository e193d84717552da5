package io.capoa.runtime.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OwnedFieldsTest {

    private static final ConfigMap ACTUAL = Serialization.unmarshal("""
            apiVersion: v1
            kind: ConfigMap
            metadata:
              name: a
              managedFields:
                - manager: ours
                  operation: Apply
                  fieldsType: FieldsV1
                  fieldsV1:
                    f:data:
                      f:kept: {}
                      f:dropped: {}
                    f:metadata:
                      f:finalizers:
                        'v:"ours/finalizer"': {}
                      f:ownerReferences:
                        'k:{"uid":"1"}': {".": {}, "f:kind": {}}
                - manager: ours
                  operation: Apply
                  subresource: status
                  fieldsV1: {f:status: {f:phase: {}}}
                - manager: others
                  operation: Update
                  fieldsV1: {f:data: {f:theirs: {}}}
            """, ConfigMap.class);

    @Test
    void whatIsWantedInFull_exceedsNothing() {
        assertThat(OwnedFields.of(ACTUAL, "ours").exceed(desired(Map.of("kept", "1", "dropped", "2"), "1")))
                .isFalse();
    }

    @Test
    void aFieldThatIsNoLongerWanted_exceeds() {
        assertThat(OwnedFields.of(ACTUAL, "ours").exceed(desired(Map.of("kept", "1"), "1")))
                .isTrue();
    }

    @Test
    void anOwnerThatIsNoLongerWanted_exceeds() {
        assertThat(OwnedFields.of(ACTUAL, "ours").exceed(desired(Map.of("kept", "1", "dropped", "2"), "2")))
                .isTrue();
    }

    @Test
    void fieldsOfOthers_areNotOurs() {
        assertThat(OwnedFields.of(ACTUAL, "unknown").exceed(Map.of())).isFalse();
    }

    private static Map<String, Object> desired(Map<String, String> data, String owner) {
        return Map.of(
                "data",
                data,
                "metadata",
                Map.of(
                        "finalizers",
                        List.of("ours/finalizer"),
                        "ownerReferences",
                        List.of(Map.of("uid", owner, "kind", "Machine"))));
    }
}
