package io.capoa.lab.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PoolObjectTest {

    private static final String ROLE = "node-role.kubernetes.io/";

    @ParameterizedTest
    @CsvSource({
        "master, '', master",
        "master, worker, master",
        "worker, '', worker",
        "worker, gpu, gpu",
        "infra, '', ''"
    })
    void aNode_belongsToOnePool_aMastersFirst_aCustomOneBeforeWorker(String role, String other, String pool)
            throws IOException {
        List<Map<String, Object>> pools =
                List.of(PoolObject.of("gpu"), PoolObject.of("master"), PoolObject.of("worker"));
        String second = other.isEmpty() ? "" : ",\"%s%s\":\"\"".formatted(ROLE, other);
        Map<String, Object> node =
                Json.parse("{\"metadata\":{\"labels\":{\"%s%s\":\"\"%s}}}".formatted(ROLE, role, second));

        assertThat(PoolObject.poolOf(node, pools).orElse("")).isEqualTo(pool);
    }

    @Test
    void aConfigurationsName_isThatOfThePoolAndTheRelease() {
        assertThat(PoolObject.config("master", "a"))
                .matches("rendered-master-[0-9a-f]{32}")
                .isEqualTo(PoolObject.config("master", "a"))
                .isNotEqualTo(PoolObject.config("master", "b"));
    }

    @Test
    void onlyTheMasterPool_isRequiredForAnUpgrade() {
        assertThat(PoolObject.isRequired(PoolObject.of("master"))).isTrue();
        assertThat(PoolObject.isRequired(PoolObject.of("worker"))).isFalse();
    }
}
