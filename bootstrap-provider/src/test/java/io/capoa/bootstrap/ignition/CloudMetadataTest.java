package io.capoa.bootstrap.ignition;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The scripts that read a cloud's metadata service. */
class CloudMetadataTest {

    private static final String SCRIPT = "/usr/local/bin/capoa-cloud-metadata";
    private static final String LABELS = "/usr/local/bin/kubelet_custom_labels";
    private static final String DOCUMENT = "GET /latest/dynamic/instance-identity/document";

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    @SuppressWarnings("NullAway.Init")
    HostFiles host;

    private final FakeMetadataService service = new FakeMetadataService();

    @BeforeEach
    void anEmptyHost() {
        host = new HostFiles(folder);
    }

    @AfterEach
    void stopTheService() {
        service.close();
    }

    private HostFiles.Run run(String source) {
        return run(source, Map.of());
    }

    private HostFiles.Run run(String source, Map<String, String> more) {
        host.command("hostnamectl", "").boot(NodeIgnition.installTime(Specs.of("""
                nodeRegistration: {metadataSource: %s, name: $METADATA_LOCAL_HOSTNAME, providerID: $METADATA_PROVIDER_ID,
                                   kubeletExtraLabels: [zone=$METADATA_ZONE]}
                """.formatted(source)), null));
        Map<String, String> environment = new HashMap<>(Map.of(
                "CAPOA_METADATA_URL", service.url(),
                "CAPOA_WAIT_SECONDS", "300",
                "CAPOA_POLL_SECONDS", "0",
                // A proxy that does not exist: no request may go there.
                "http_proxy", "http://127.0.0.1:1",
                "HTTP_PROXY", "http://127.0.0.1:1"));
        environment.putAll(more);
        return host.run(SCRIPT, environment);
    }

    private List<String> metadata() {
        return host.read("/etc/metadata_env").lines().toList();
    }

    @Test
    void awsIsAskedWithASessionToken() {
        service.aws();

        HostFiles.Run run = run("AWS");

        assertThat(run.exitCode()).as(run.output()).isZero();
        assertThat(metadata())
                .containsExactlyInAnyOrder(
                        "METADATA_LOCAL_HOSTNAME=ip-10-0-0-1.ec2.internal",
                        "METADATA_INSTANCE_ID=i-0abc",
                        "METADATA_INSTANCE_TYPE=m6i.xlarge",
                        "METADATA_REGION=eu-west-1",
                        "METADATA_ZONE=eu-west-1b",
                        "METADATA_PROVIDER_ID=aws:///eu-west-1b/i-0abc");
        assertThat(service.requests().getFirst()).isEqualTo("PUT /latest/api/token");
    }

    @Test
    void azureIsAskedWithItsHeader_andTheResourceGroupIsInLowerCase() {
        service.azure();

        HostFiles.Run run = run("Azure");

        assertThat(run.exitCode()).as(run.output()).isZero();
        assertThat(metadata())
                .containsExactlyInAnyOrder(
                        "METADATA_LOCAL_HOSTNAME=worker-0",
                        "METADATA_INSTANCE_ID=5c08",
                        "METADATA_INSTANCE_TYPE=D4s",
                        "METADATA_REGION=westeurope",
                        "METADATA_ZONE=westeurope-2",
                        "METADATA_PROVIDER_ID=azure:///subscriptions/5B/resourceGroups/my-rg/providers/"
                                + "Microsoft.Compute/virtualMachines/vm-0");
    }

    @Test
    void anAzureMachineOutsideOfZones_hasNone() {
        service.azure().answers("GET /metadata/instance/compute?api-version=2021-02-01&format=json", """
                        {"name": "vm-0", "vmId": "5c08", "location": "westeurope", "zone": "",
                         "resourceId": "/subscriptions/5B/resourceGroups/rg/providers/Microsoft.Compute/virtualMachines/vm-0"}
                        """);

        assertThat(run("Azure").exitCode()).isZero();
        assertThat(metadata()).contains("METADATA_ZONE=", "METADATA_LOCAL_HOSTNAME=vm-0", "METADATA_INSTANCE_TYPE=");
    }

    @Test
    void gcpIsAskedForSingleValuesWithItsHeader() {
        service.gcp();

        HostFiles.Run run = run("GCP");

        assertThat(run.exitCode()).as(run.output()).isZero();
        assertThat(metadata())
                .containsExactlyInAnyOrder(
                        "METADATA_LOCAL_HOSTNAME=worker-0",
                        "METADATA_INSTANCE_ID=1234567890",
                        "METADATA_INSTANCE_TYPE=n2-standard-4",
                        "METADATA_REGION=europe-west3",
                        "METADATA_ZONE=europe-west3-a",
                        "METADATA_PROVIDER_ID=gce://my-project/europe-west3-a/worker-0");
    }

    @Test
    void openStackHasTheKeysOfAConfigDrive_withoutItsSecrets() {
        service.openstack();

        HostFiles.Run run = run("OpenStack");

        assertThat(run.exitCode()).as(run.output()).isZero();
        assertThat(metadata())
                .contains(
                        "METADATA_LOCAL_HOSTNAME=worker-0",
                        "METADATA_INSTANCE_ID=c0ffee",
                        "METADATA_ZONE=nova",
                        "METADATA_PROVIDER_ID=openstack:///c0ffee",
                        "METADATA_UUID=c0ffee",
                        "METADATA_LAUNCH_INDEX=0")
                .noneMatch(line -> line.contains("SEED") || line.contains("PASS"));
    }

    @Test
    void hostnameLabelsAndProviderIdFollow() {
        service.aws();
        run("AWS");

        assertThat(host.run("/usr/local/bin/set_hostname").exitCode()).isZero();
        assertThat(host.run(LABELS).exitCode()).isZero();
        assertThat(host.read("/calls")).isEqualTo("hostnamectl set-hostname ip-10-0-0-1.ec2.internal\n");
        assertThat(host.read("/etc/kubernetes/kubelet-env"))
                .isEqualTo("CUSTOM_KUBELET_LABELS=zone=eu-west-1b\nKUBELET_PROVIDERID=aws:///eu-west-1b/i-0abc\n");
    }

    @Test
    void aServiceThatStartsSlowly_isAskedAgain() {
        service.gcp().failsFirst(3);

        HostFiles.Run run = run("GCP");

        assertThat(run.exitCode()).isZero();
        assertThat(run.output().lines().filter(line -> line.contains("it answers with status 503")))
                .hasSize(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"AWS", "Azure", "GCP", "OpenStack"})
    void aServiceThatKnowsNothing_isGivenUpInTime_andTheHostBootsOn(String source) {
        HostFiles.Run run = run(source, Map.of("CAPOA_WAIT_SECONDS", "1", "CAPOA_POLL_SECONDS", "1"));

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.output()).contains("Gave up waiting for the metadata service", "it answers with status 404");
        assertThat(host.exists("/etc/metadata_env")).isFalse();
        assertThat(host.run(LABELS).output()).contains("Label zone is left out", "The provider ID is left out");
    }

    @Test
    void aServiceThatIsNotThere_isGivenUpInTime() {
        HostFiles.Run run = run("AWS", Map.of("CAPOA_METADATA_URL", "http://127.0.0.1:1", "CAPOA_WAIT_SECONDS", "0"));

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.output()).contains("Gave up waiting for the metadata service", "it does not answer");
    }

    @ParameterizedTest
    @CsvSource({
        "AWS, PUT /latest/api/token, 403",
        "AWS, GET /latest/meta-data/local-hostname, 401",
        "Azure, GET /metadata/instance/compute?api-version=2021-02-01&format=json, 400",
        "GCP, GET /computeMetadata/v1/instance/zone, 403",
        "OpenStack, GET /openstack/latest/meta_data.json, 403"
    })
    void aRefusal_isNotRepeated(String source, String request, int status) {
        service.of(source).answers(request, status, "");

        HostFiles.Run run = run(source);

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.output()).contains("refuses " + request + " with status " + status);
        assertThat(service.requests().stream().filter(request::equals)).hasSize(1);
        assertThat(host.exists("/etc/metadata_env")).isFalse();
    }

    @Test
    void aTokenThatTheServiceDoesNotTake_endsInARefusal() {
        service.aws().answers("PUT /latest/api/token", "another-token");

        HostFiles.Run run = run("AWS");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.output()).contains("with status 401").doesNotContain("another-token");
    }

    @ParameterizedTest
    @ValueSource(strings = {"two\nlines", "with \"quotes\"", "evil\"\nurl = \"http://127.0.0.1:1", "<html>", ""})
    void aTokenThatIsNone_isNotSentBack(String token) {
        service.aws().answers("PUT /latest/api/token", token);

        HostFiles.Run run = run("AWS");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.output()).contains("something else than the session token");
        assertThat(service.requests()).containsExactly("PUT /latest/api/token");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "AWS|GET /latest/dynamic/instance-identity/document",
                "Azure|GET /metadata/instance/compute?api-version=2021-02-01&format=json",
                "OpenStack|GET /openstack/latest/meta_data.json"
            })
    void garbageAndMissingFields_endWithAnErrorAndWriteNothing(String source, String request) {
        for (String body : List.of("<html>", "[1]", "{\"a\"", "{}", "{\"name\": 1, \"instanceId\": {}}", "")) {
            service.of(source).answers(request, body);

            HostFiles.Run run = run(source);

            assertThat(run.exitCode()).as(body).isEqualTo(1);
            assertThat(run.output()).as(body).contains("The answer of the metadata service");
            assertThat(host.exists("/etc/metadata_env")).isFalse();
        }
    }

    @Test
    void aMissingField_isNamed() {
        service.aws().answers(DOCUMENT, "{\"instanceId\": \"i-1\", \"region\": \"r\", \"availabilityZone\": \"\"}");

        assertThat(run("AWS").output()).contains("The answer of the metadata service has no availabilityZone");
    }

    @Test
    void aResourceIdOfAnotherKind_isRefused() {
        service.azure()
                .answers(
                        "GET /metadata/instance/compute?api-version=2021-02-01&format=json",
                        "{\"name\": \"a\", \"vmId\": \"b\", \"location\": \"c\", \"resourceId\": \"/tenants/x\"}");

        assertThat(run("Azure").output()).contains("resourceId that is none of a virtual machine");
        assertThat(host.exists("/etc/metadata_env")).isFalse();
    }

    @Test
    void aHugeAnswer_isNotUsed() {
        service.openstack().answers("GET /openstack/latest/meta_data.json", "{\"a\": \"" + "x".repeat(300_000) + "\"}");

        HostFiles.Run run = run("OpenStack");

        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.output()).contains("has more than 262144 bytes: it is not used");
    }

    @Test
    void values_areNeverRun() {
        service.aws()
                .answers("GET /latest/meta-data/local-hostname", "$(touch${IFS}$CAPOA_ROOT/owned)")
                .answers(
                        DOCUMENT,
                        "{\"instanceId\": \"i`touch $CAPOA_ROOT/owned`\", \"region\": \"r\\nMETADATA_UUID=evil\","
                                + " \"availabilityZone\": \"z; touch $CAPOA_ROOT/owned\"}");

        assertThat(run("AWS").exitCode()).isZero();
        assertThat(metadata()).contains("METADATA_REGION=r METADATA_UUID=evil");
        assertThat(host.run(LABELS).output()).contains("Label zone is left out", "The provider ID is left out");
        assertThat(host.run("/usr/local/bin/set_hostname").output()).contains("is not valid");
        assertThat(host.exists("/owned")).isFalse();
        assertThat(host.exists("/calls")).isFalse();
    }

    @Test
    void anAnswerOfBefore_staysUntilTheNextOne() {
        service.aws();
        run("AWS");
        service.answers("PUT /latest/api/token", 403, "");

        assertThat(run("AWS").exitCode()).isEqualTo(1);
        assertThat(metadata()).contains("METADATA_INSTANCE_ID=i-0abc");
    }
}
