package io.capoa.lab.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.lab.controller.Delays;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;

class ReleaseRegistryTest {

    @Test
    void theDigestOfARelease_isServed_andLeadsBackToItsTag() throws Exception {
        try (ReleaseRegistry registry = ReleaseRegistry.start(Delays.none());
                HttpClient http = HttpClient.newHttpClient()) {
            String digest =
                    registry.digest(ReleaseRegistry.OPENSHIFT, "4.20.5-multi").orElseThrow();
            URI manifest = URI.create(
                    "http://%s/v2/%s/manifests/%s".formatted(registry.address(), ReleaseRegistry.OPENSHIFT, digest));

            assertThat(http.send(HttpRequest.newBuilder(manifest).build(), HttpResponse.BodyHandlers.discarding())
                            .statusCode())
                    .isEqualTo(200);
            assertThat(registry.tag(digest)).contains("4.20.5-multi");
            assertThat(registry.tag("sha256:0")).isEmpty();
        }
    }

    @Test
    void aReleaseThatIsAbsent_hasNoDigest() {
        try (ReleaseRegistry registry = ReleaseRegistry.start(Delays.none())) {
            registry.faults().absent("4.20.5");

            assertThat(registry.digest(ReleaseRegistry.OPENSHIFT, "4.20.5-x86_64"))
                    .isEmpty();
            assertThat(registry.digest("unknown/repository", "4.20.6-x86_64")).isEmpty();
        }
    }
}
