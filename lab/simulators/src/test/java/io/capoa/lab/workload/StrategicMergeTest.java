package io.capoa.lab.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StrategicMergeTest {

    @Test
    void listsWithAKey_areMergedByIt_othersAreReplaced() throws IOException {
        assertThat(patched("""
                        {"spec":{"taints":[{"key":"a"}]},
                         "status":{"conditions":[{"type":"Ready","status":"True"},{"type":"DiskPressure","status":"False"}]}}""", """
                        {"spec":{"taints":[{"key":"b"}]},
                         "status":{"$setElementOrder/conditions":[{"type":"Ready"}],
                                   "conditions":[{"type":"Ready","status":"Unknown"},{"type":"New","status":"True"}]}}""")).isEqualTo(Json.parse("""
                        {"spec":{"taints":[{"key":"b"}]},
                         "status":{"conditions":[{"type":"Ready","status":"Unknown"},
                                                 {"type":"DiskPressure","status":"False"},
                                                 {"type":"New","status":"True"}]}}"""));
    }

    @Test
    void directivesDeleteAndReplace_andNothingRemoves() throws IOException {
        assertThat(patched("""
                        {"metadata":{"labels":{"a":"1","b":"2"}},"spec":{"x":1,"y":2},
                         "status":{"conditions":[{"type":"Ready"},{"type":"Gone"}]}}""", """
                        {"metadata":{"labels":{"a":null}},"spec":{"$patch":"replace","z":3},
                         "status":{"conditions":[{"$patch":"delete","type":"Gone"}]}}""")).isEqualTo(Json.parse("""
                        {"metadata":{"labels":{"b":"2"}},"spec":{"z":3},"status":{"conditions":[{"type":"Ready"}]}}"""));
    }

    private static Map<String, Object> patched(String object, String patch) throws IOException {
        Map<String, Object> target = Json.parse(object);
        StrategicMerge.apply(target, Json.parse(patch));
        return target;
    }
}
