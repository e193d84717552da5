package io.capoa.runtime.connection;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestKindTest {

    @ParameterizedTest
    @CsvSource({
        "GET, /apis/cluster.x-k8s.io/v1beta2/machines, , list, machines",
        "GET, /apis/cluster.x-k8s.io/v1beta2/namespaces/n/machines, true, watch, machines",
        "GET, /api/v1/namespaces/n/secrets/s, , get, secrets",
        "GET, /api/v1/namespaces/n, , get, namespaces",
        "PATCH, /apis/a.b/v1/namespaces/n/machines/m/status, , patch, machines/status",
        "POST, /api/v1/namespaces/n/events, , create, events",
        "PUT, /proxy/apis/coordination.k8s.io/v1/namespaces/n/leases/l, , update, leases",
        "GET, /version, , get, other",
        "GET, /apis, , get, other",
    })
    void aRequest_isCountedByVerbAndResource(
            String method, String path, @Nullable String watch, String verb, String resource) {
        assertThat(RequestKind.of(method, path, watch)).isEqualTo(new RequestKind(verb, resource));
    }
}
