package io.capoa.bootstrap.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.capoa.api.contract.InfraEnv;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.Map;
import okhttp3.HttpUrl;
import org.junit.jupiter.api.Test;

class DiscoveryIgnitionUrlTest {

    private static final String EVENTS =
            "https://assisted.example:8443/api/assisted-install/v2/events?api_key=KEY&infra_env_id=ID";
    private static final String PATH = "/api/assisted-install/v2/infra-envs/ID/downloads/files";

    @Test
    void thePublishedUrlIsPreferred() {
        assertThat(url("http://direct.example/x?api_key=A", EVENTS, Map.of()))
                .isEqualTo("http://direct.example/x?api_key=A");
    }

    @Test
    void otherwiseItIsDerivedFromTheEventsUrl_atItsHost() {
        assertThat(url("", EVENTS, Map.of()))
                .isEqualTo("https://assisted.example:8443" + PATH + "?api_key=KEY&file_name=discovery.ign");
    }

    @Test
    void withoutAuthentication_thereIsNoKey() {
        assertThat(url("", "http://a.example/api/assisted-install/v2/events?infra_env_id=ID", Map.of()))
                .isEqualTo("http://a.example" + PATH + "?file_name=discovery.ign");
    }

    @Test
    void withoutEventsUrlOrId_thereIsNone() {
        assertThat(url("", "", Map.of())).isEmpty();
        assertThat(url("", "http://a.example/events?api_key=KEY", Map.of())).isEmpty();
    }

    @Test
    void inCluster_theServiceIsAskedInTheNamespaceOfTheInfraEnv() {
        assertThat(url("", EVENTS, Map.of("USE_INTERNAL_IMAGE_URL", "1")))
                .isEqualTo(url("", EVENTS, Map.of("USE_INTERNAL_IMAGE_URL", "true")));
        assertThat(url("", EVENTS, Map.of("USE_INTERNAL_IMAGE_URL", "0")))
                .isEqualTo(url("", EVENTS, Map.of("USE_INTERNAL_IMAGE_URL", "")))
                .isEqualTo(url("", EVENTS, Map.of()));
        assertThatThrownBy(() -> url("", EVENTS, Map.of("USE_INTERNAL_IMAGE_URL", "yes")))
                .hasMessage("USE_INTERNAL_IMAGE_URL takes true or false, not yes");
        assertThat(url("", EVENTS, Map.of("USE_INTERNAL_IMAGE_URL", "true")))
                .startsWith("http://assisted-service.ns.svc.cluster.local:8090" + PATH);
    }

    @Test
    void inCluster_nameNamespaceAndAddressCanBeChosen() {
        assertThat(url(
                        "",
                        EVENTS,
                        Map.of(
                                "USE_INTERNAL_IMAGE_URL", "true",
                                "ASSISTED_SERVICE_NAME", "ai",
                                "ASSISTED_INSTALLER_NAMESPACE", "hub")))
                .startsWith("http://ai.hub.svc.cluster.local:8090" + PATH);
        assertThat(url("", EVENTS, Map.of("ASSISTED_SERVICE_BASE_URL", "https://ai.hub.svc:8091")))
                .startsWith("https://ai.hub.svc:8091" + PATH);
    }

    @Test
    void aHostIsSentToThePublishedUrl_whereverThisProcessDownloads() {
        BootMedia media = BootMedia.of(
                infraEnv("", EVENTS), AssistedServiceAddress.fromEnvironment(Map.of("USE_INTERNAL_IMAGE_URL", "true")));

        assertThat(media.hostIgnition())
                .hasToString("https://assisted.example:8443" + PATH + "?api_key=KEY&file_name=discovery.ign");
        assertThat(media.referenceDigest("")).isNotEqualTo(media.referenceDigest("PEM"));
    }

    private static String url(String direct, String events, Map<String, String> environment) {
        return DiscoveryIgnitionUrl.of(infraEnv(direct, events), AssistedServiceAddress.fromEnvironment(environment))
                .map(HttpUrl::toString)
                .orElse("");
    }

    private static InfraEnv infraEnv(String direct, String events) {
        InfraEnv infraEnv = new InfraEnv();
        infraEnv.setMetadata(
                new ObjectMetaBuilder().withNamespace("ns").withName("m").build());
        infraEnv.setAdditionalProperty(
                "status",
                Map.of(
                        "bootArtifacts", Map.of("discoveryIgnitionURL", direct),
                        "debugInfo", Map.of("eventsURL", events)));
        return infraEnv;
    }
}
