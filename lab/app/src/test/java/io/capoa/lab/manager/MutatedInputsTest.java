package io.capoa.lab.manager;

import static io.capoa.lab.manager.ManagerChild.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.capoa.lab.cluster.ProjectRoot;
import io.capoa.lab.endurance.AnswerInputs;
import io.capoa.lab.endurance.EnduranceReport;
import io.capoa.lab.endurance.Finding;
import io.capoa.lab.endurance.Mutations;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import okhttp3.tls.HandshakeCertificates;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * A hundred thousand unexpected inputs, against both managers within their shipped limits: their webhooks, their
 * kinds through every version, and what they read of others. Each input is that of its number and the seed.
 */
@Tag("endurance")
@ResourceLock(ManagerChild.BOTH_PROVIDERS)
class MutatedInputsTest {

    private static final long SEED = Long.getLong("capoa.seed", System.nanoTime() & 0xffffff);
    private static final int INPUTS = Integer.getInteger("capoa.endurance.inputs", 100_000);
    private static final int CLIENTS = 6;
    private static final int PROGRESS = 5_000;
    private static final Duration LONGEST_ANSWER = Duration.ofSeconds(60);
    /** Letters of a message that tell one mistake from another. */
    private static final int SAME = 40;

    private static final int LONGEST = 1_000;
    private static final long PRIME = 1_000_003;
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final KubernetesSerialization YAML = new KubernetesSerialization();

    private static final List<String> GROUPS = List.of("bootstrap.cluster.x-k8s.io", "controlplane.cluster.x-k8s.io");
    private static final List<List<String>> VERSIONS =
            List.of(List.of("v1alpha1", "v1alpha2", "v1beta1"), List.of("v1alpha2", "v1alpha3", "v1beta1"));

    private static final String HOOK_VERSION = "hooks.runtime.cluster.x-k8s.io/v1alpha1";
    private static final List<String> HOOKS = List.of(
            "Discovery",
            "CanUpdateMachineSet/can-update-machine-set",
            "CanUpdateMachine/can-update-machine",
            "UpdateMachine/update-machine",
            "GenerateUpgradePlan/generate-upgrade-plan");

    /** What the managers log of an input that they were not made for. */
    private static final List<String> INTERNAL = List.of(
            "OutOfMemoryError",
            "StackOverflowError",
            "NullPointerException",
            "ClassCastException",
            "could not be validated and was let through",
            "the log of the provider says why",
            "Stopping after a failure",
            // Of a registry.
            "cannot be resolved\"");

    private final HttpClient http;
    private final ConvertedCluster converted = new ConvertedCluster(true);
    private final EnduranceReport report = new EnduranceReport("inputs", SEED);
    private final Set<String> known = ConcurrentHashMap.newKeySet();
    private final List<JsonNode> own = new ArrayList<>();
    private final List<JsonNode> foreign = new ArrayList<>();
    private final List<JsonNode> all = new ArrayList<>();
    private @Nullable AnswerInputs answers;

    @TempDir
    private Path folder;

    MutatedInputsTest() throws Exception {
        http = client();
    }

    /** An answer; status 0 for a connection that was closed. */
    private record Answer(int status, String body) {}

    @Test
    void whateverIsSent_noManagerFails_andEveryRefusalNamesFieldAndRemedy() throws Exception {
        System.out.printf("mutated inputs: seed %d, %d inputs%n", SEED, INPUTS);
        try (converted) {
            converted.takeOver(folder, true);
            await().atMost(PATIENCE).until(converted::isReady);
            converted.configureAdmission();
            read();
            all.forEach(object -> count("sample", create(object)));
            AtomicInteger next = new AtomicInteger();
            AnswerInputs reading = new AnswerInputs(folder, all, CLIENTS);
            answers = reading;
            try (reading;
                    var clients = Executors.newFixedThreadPool(CLIENTS)) {
                Runnable client = () -> {
                    for (int number = next.getAndIncrement(); number < INPUTS; number = next.getAndIncrement()) {
                        input(number);
                    }
                };
                for (Future<?> end : Stream.generate(() -> clients.submit(client))
                        .limit(CLIENTS)
                        .toList()) {
                    end.get();
                }
                findInLog("the reading of answers", reading.log());
                if (!reading.isRunning()) {
                    find("answers are read to the end", reading.log().lines().toList());
                }
            }
            if (!converted.isRunning() || !converted.isReady()) {
                find("the managers run and are ready", converted.logs().lines().toList());
            }
            findInLog("the managers", converted.logs());
        } finally {
            System.out.println(report.summary());
            System.out.println("The whole report: " + report.write());
        }
        assertThat(report.findings()).extracting(Finding::toString).isEmpty();
        assertThat(report.figure("inputs")).isEqualTo(INPUTS);
    }

    /** The samples of the release and the objects of the older versions. */
    private void read() throws IOException {
        for (String sample : List.of("multinode", "live-iso", "external")) {
            String text = Files.readString(ProjectRoot.find().resolve("config/samples/" + sample + ".yaml"));
            for (String document : text.split("(?m)^---$")) {
                if (document.contains("kind:")) {
                    sort(Mutations.tree(YAML.asJson(YAML.unmarshal(document))));
                }
            }
        }
        for (String yaml : List.of(ConvertedCluster.CONFIG, ConvertedCluster.CONTROL_PLANE, ConvertedCluster.PLANTED)) {
            sort(Mutations.tree(YAML.asJson(YAML.unmarshal(yaml))));
        }
        for (String json : FOREIGN) {
            sort(Mutations.tree(json));
        }
        all.addAll(own);
        all.addAll(foreign);
    }

    private void sort(JsonNode object) {
        String version = object.path("apiVersion").asText();
        if (GROUPS.stream().anyMatch(version::startsWith)) {
            own.add(object);
        } else {
            foreign.add(object);
        }
    }

    private void input(int number) {
        Mutations mutations = new Mutations(SEED * PRIME + number, all);
        int door = number % 20;
        Optional<String> mistake;
        if (door < 8) {
            mistake = review(number, mutations);
        } else if (door < 13) {
            mistake = conversion(mutations);
        } else if (door < 14) {
            mistake = hook(mutations);
        } else if (door < 16) {
            mistake = dryRun(mutations);
        } else if (door < 18) {
            mistake = stored(number, mutations);
        } else {
            mistake = answer(door == 18, number, mutations);
        }
        report.count("inputs", 1);
        if (number % PROGRESS == 0) {
            report.event("%s input %d".formatted(Instant.now(), number));
        }
        mistake.ifPresent(what -> find("no failure of the managers", List.of("input " + number, what)));
    }

    /** Of a registry or of a workload cluster. */
    private Optional<String> answer(boolean ofRegistry, int number, Mutations mutations) {
        report.count(ofRegistry ? "registry" : "workload cluster", 1);
        try {
            return ofRegistry ? answers.registry(number, mutations) : answers.workload(number, mutations);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.of(e.toString());
        }
    }

    /** Of each kind of mistake the first. */
    private void find(String rule, List<String> history) {
        String what = history.getLast();
        String words = what.replaceAll("[^A-Za-z ]+[^ ]*", "");
        if (known.add(words.substring(0, Math.min(words.length(), SAME)))) {
            report.find(new Finding(rule, beginning(what), history));
        }
        report.count("mistakes", 1);
    }

    private void findInLog(String whose, String log) {
        for (String internal : INTERNAL) {
            log.lines()
                    .filter(line -> line.contains(internal))
                    .limit(1)
                    .forEach(line -> find(whose + " know what to do: " + internal, List.of(line)));
        }
    }

    private static String beginning(String text) {
        return text.substring(0, Math.min(text.length(), LONGEST));
    }

    private Optional<String> review(int number, Mutations mutations) {
        JsonNode sample = mutations.any(own);
        int group = group(sample);
        ObjectNode request = JSON.createObjectNode().put("uid", "u" + number);
        String kind = sample.path("kind").asText();
        request.set("resource", resource(group, "v1beta1", kind));
        request.set("requestResource", resource(group, mutations.any(VERSIONS.get(group)), kind));
        request.put("operation", mutations.any(List.of("CREATE", "UPDATE")));
        ObjectNode hub = hub(sample);
        request.set("object", mutations.mutate(hub));
        if (request.path("operation").asText().equals("UPDATE")) {
            request.set("oldObject", mutations.any(List.of(hub, mutations.mutate(hub))));
        }
        ObjectNode review = envelope("AdmissionReview", "admission.k8s.io/v1", request);
        String path =
                "/validate-%s-v1beta1-%s".formatted(GROUPS.get(group).replace('.', '-'), kind.toLowerCase(Locale.ROOT));
        JsonNode sent = number % 7 == 0 ? mutations.mutate(review) : review;
        Answer answer = post(converted.webhooks().get(group) + path, mutations.text(sent));
        count("review", answer);
        if (answer.status() != HttpURLConnection.HTTP_OK) {
            return ofServer("review", answer);
        }
        JsonNode response = Mutations.tree(answer.body()).path("response");
        return response.path("allowed").asBoolean() ? Optional.empty() : refusal(response.path("status"));
    }

    /** Field and, after a colon, a remedy. */
    private static Optional<String> refusal(JsonNode status) {
        if (status.path("code").asInt() >= HttpURLConnection.HTTP_INTERNAL_ERROR) {
            return Optional.of("refused with " + status);
        }
        List<JsonNode> causes = new ArrayList<>();
        status.path("details").path("causes").forEach(causes::add);
        if (causes.isEmpty()) {
            String message = status.path("message").asText();
            return message.contains(": ") ? Optional.empty() : Optional.of("no remedy: " + message);
        }
        return causes.stream()
                .filter(cause -> cause.path("field").asText().isEmpty()
                        || !cause.path("message").asText().contains(": "))
                .map(cause -> "no field or remedy: " + cause.path("field").asText() + " "
                        + cause.path("message").asText())
                .findFirst();
    }

    private Optional<String> conversion(Mutations mutations) {
        ObjectNode sample = (ObjectNode) mutations.any(own).deepCopy();
        int group = group(sample);
        sample.put("apiVersion", GROUPS.get(group) + "/" + mutations.any(VERSIONS.get(group)));
        String desired = GROUPS.get(group) + "/" + mutations.any(VERSIONS.get(group));
        ObjectNode request = JSON.createObjectNode().put("uid", "u").put("desiredAPIVersion", desired);
        request.putArray("objects").add(mutations.mutate(sample)).add(sample);
        ObjectNode review = envelope("ConversionReview", "apiextensions.k8s.io/v1", request);
        Answer answer = post(converted.webhooks().get(group) + "/convert", mutations.text(review));
        count("conversion", answer);
        if (answer.status() != HttpURLConnection.HTTP_OK) {
            return ofServer("conversion", answer);
        }
        JsonNode result = Mutations.tree(answer.body()).path("response").path("result");
        boolean unknown = result.path("message").asText().contains("the log of the provider says why");
        return unknown ? Optional.of("conversion: " + result.path("message").asText()) : Optional.empty();
    }

    /** Of Cluster API's Runtime SDK. */
    private Optional<String> hook(Mutations mutations) {
        String hook = mutations.any(HOOKS);
        ObjectNode request = JSON.createObjectNode()
                .put("apiVersion", HOOK_VERSION)
                .put("kind", hook.replaceFirst("/.*", "") + "Request");
        for (String state : List.of("current", "desired")) {
            ObjectNode objects = request.putObject(state);
            for (String part : List.of("machine", "infrastructureMachine", "bootstrapConfig")) {
                objects.set(part, mutations.any(all));
            }
        }
        request.set("cluster", mutations.any(all));
        String path = "/" + HOOK_VERSION + "/" + hook.toLowerCase(Locale.ROOT);
        String body = mutations.text(mutations.mutate(request));
        Answer answer = post(converted.webhooks().getLast() + path, body);
        count("hook", answer);
        return ofServer("hook", answer);
    }

    /** Created through any version, without being stored. */
    private Optional<String> dryRun(Mutations mutations) {
        ObjectNode sample = mutations.any(own).deepCopy();
        int group = group(sample);
        sample.put("apiVersion", GROUPS.get(group) + "/" + mutations.any(VERSIONS.get(group)));
        String path = collection(sample) + "?dryRun=All&fieldManager=mutations";
        return ofApiServer("dry run", send(request(path, "POST", "json", mutations.mutate(sample))));
    }

    /** Stays, and is read by the managers: own kinds, and the objects of others with their statuses. */
    private Optional<String> stored(int number, Mutations mutations) {
        JsonNode sample = mutations.any(number % 5 == 0 ? own : foreign);
        JsonNode mutated = mutations.mutate(sample);
        String path =
                collection(sample) + "/" + sample.path("metadata").path("name").asText();
        Optional<String> mistake = ofApiServer("stored", send(request(path, "PATCH", "merge-patch+json", mutated)));
        if (mutated.has("status")) {
            count("status", send(request(path + "/status", "PATCH", "merge-patch+json", mutated)));
        }
        return mistake;
    }

    private Optional<String> ofApiServer(String door, Answer answer) {
        count(door, answer);
        boolean webhook = answer.body().contains("failed calling webhook")
                || answer.body().contains("conversion webhook for");
        if (answer.status() >= HttpURLConnection.HTTP_INTERNAL_ERROR && webhook) {
            return Optional.of(door + ": " + answer.body());
        }
        if (answer.body().contains("denied the request")) {
            return refusal(Mutations.tree(answer.body()));
        }
        return Optional.empty();
    }

    private Optional<String> ofServer(String door, Answer answer) {
        return answer.status() == 0 || answer.status() >= HttpURLConnection.HTTP_INTERNAL_ERROR
                ? Optional.of("%s: %d %s".formatted(door, answer.status(), answer.body()))
                : Optional.empty();
    }

    private void count(String door, Answer answer) {
        String figure = "%s: %d".formatted(door, answer.status());
        if (report.figure(figure) == 0) {
            report.event("%s, for instance %s".formatted(figure, beginning(answer.body())));
        }
        report.count(figure, 1);
    }

    private static ObjectNode envelope(String kind, String version, ObjectNode request) {
        ObjectNode review = JSON.createObjectNode().put("kind", kind).put("apiVersion", version);
        review.set("request", request);
        return review;
    }

    private static ObjectNode resource(int group, String version, String kind) {
        return JSON.createObjectNode()
                .put("group", GROUPS.get(group))
                .put("version", version)
                .put("resource", plural(kind));
    }

    private static ObjectNode hub(JsonNode sample) {
        ObjectNode hub = sample.deepCopy();
        return hub.put("apiVersion", GROUPS.get(group(sample)) + "/v1beta1");
    }

    private static int group(JsonNode object) {
        return object.path("apiVersion").asText().startsWith(GROUPS.getFirst()) ? 0 : 1;
    }

    private static String plural(String kind) {
        return kind.toLowerCase(Locale.ROOT) + "s";
    }

    /** Path of the objects of a sample's kind. */
    private static String collection(JsonNode sample) {
        String version = sample.path("apiVersion").asText();
        return "%s/%s/namespaces/%s/%s"
                .formatted(
                        version.contains("/") ? "/apis" : "/api",
                        version,
                        ConvertedCluster.NAMESPACE,
                        plural(sample.path("kind").asText()));
    }

    private Answer create(JsonNode sample) {
        return send(request(collection(sample), "POST", "json", sample));
    }

    private HttpRequest request(String path, String method, String type, JsonNode body) {
        var configuration = converted.admin().getConfiguration();
        return HttpRequest.newBuilder(URI.create(configuration.getMasterUrl().replaceFirst("/$", "") + path))
                .header("Content-Type", "application/" + type)
                .header("Authorization", "Bearer " + configuration.getOauthToken())
                .method(method, HttpRequest.BodyPublishers.ofString(body.toString()))
                .timeout(LONGEST_ANSWER)
                .build();
    }

    private Answer post(String url, String body) {
        return send(HttpRequest.newBuilder(URI.create(url))
                .header("Content-Type", "application/json")
                .timeout(LONGEST_ANSWER)
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build());
    }

    private Answer send(HttpRequest request) {
        try {
            HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
            return new Answer(response.statusCode(), response.body());
        } catch (IOException e) {
            return new Answer(0, e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Answer(0, e.toString());
        }
    }

    private HttpClient client() throws Exception {
        byte[] authority =
                Base64.getDecoder().decode(converted.admin().getConfiguration().getCaCertData());
        HandshakeCertificates.Builder trusted =
                new HandshakeCertificates.Builder().addTrustedCertificate(converted.authority());
        for (var certificate :
                CertificateFactory.getInstance("X.509").generateCertificates(new ByteArrayInputStream(authority))) {
            trusted.addTrustedCertificate((X509Certificate) certificate);
        }
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .sslContext(trusted.build().sslContext())
                .build();
    }

    /** Of peers, with the statuses that the managers read. */
    private static final List<String> FOREIGN = List.of("""
            {"apiVersion":"extensions.hive.openshift.io/v1beta1","kind":"AgentClusterInstall",
             "metadata":{"name":"multinode","labels":{"cluster.x-k8s.io/cluster-name":"multinode"}},
             "spec":{"clusterDeploymentRef":{"name":"multinode"},"imageSetRef":{"name":"multinode"},
              "networking":{"clusterNetwork":[{"cidr":"172.18.0.0/20","hostPrefix":23}],"serviceNetwork":["10.96.0.0/12"]},
              "provisionRequirements":{"controlPlaneAgents":3},
              "clusterMetadata":{"clusterID":"id","infraID":"i","adminKubeconfigSecretRef":{"name":"multinode-admin"}}},
             "status":{"debugInfo":{"state":"installed","stateInfo":"Cluster is installed","eventsURL":"https://127.0.0.1:1/e"},
              "progress":{"totalPercentage":100},"validationsInfo":{"network":[{"id":"a","status":"failure","message":"m"}]},
              "conditions":[{"type":"Completed","status":"True","reason":"InstallationCompleted","message":"done"},
               {"type":"SpecSynced","status":"True","reason":"SyncOK","message":""},
               {"type":"RequirementsMet","status":"True","reason":"ClusterAlreadyInstalling","message":""}]}}
            """, """
            {"apiVersion":"hive.openshift.io/v1","kind":"ClusterDeployment",
             "metadata":{"name":"multinode","labels":{"cluster.x-k8s.io/cluster-name":"multinode"}},
             "spec":{"baseDomain":"lab.example","clusterName":"multinode","platform":{"agentBareMetal":{"agentSelector":{}}},
              "clusterInstallRef":{"group":"extensions.hive.openshift.io","kind":"AgentClusterInstall",
               "version":"v1beta1","name":"multinode"},"installed":true},
             "status":{"conditions":[{"type":"Provisioned","status":"True"}]}}
            """, """
            {"apiVersion":"agent-install.openshift.io/v1beta1","kind":"InfraEnv",
             "metadata":{"name":"kept","labels":{"cluster.x-k8s.io/cluster-name":"multinode"}},
             "spec":{"clusterRef":{"name":"multinode","namespace":"converted"},"pullSecretRef":{"name":"pull-secret"}},
             "status":{"isoDownloadURL":"https://127.0.0.1:1/iso","createdTime":"2026-01-02T03:04:05Z",
              "bootArtifacts":{"discoveryIgnitionURL":"https://127.0.0.1:1/i"},
              "conditions":[{"type":"ImageCreated","status":"True","reason":"ImageCreated","message":"Image has been created"}]}}
            """, """
            {"apiVersion":"agent-install.openshift.io/v1beta1","kind":"Agent",
             "metadata":{"name":"agent","labels":{"infraenvs.agent-install.openshift.io":"kept"}},
             "spec":{"approved":false,"clusterDeploymentName":{"name":"multinode","namespace":"converted"},"role":""},
             "status":{"inventory":{"hostname":"h","interfaces":[{"name":"eno1","macAddress":"52:54:00:00:00:01",
               "ipV4Addresses":["192.0.2.5/24"]}],"disks":[{"id":"/dev/disk/by-id/wwn-1","name":"sda","path":"/dev/sda",
               "sizeBytes":500000000000,"installationEligibility":{"eligible":true}}]},"role":"master",
              "progress":{"currentStage":"Done","installationPercentage":100},"debugInfo":{"state":"installed"},
              "validationsInfo":{"hardware":[{"id":"has-cpu","status":"success","message":"ok"}]},
              "conditions":[{"type":"Installed","status":"True","reason":"InstallationCompleted","message":""}]}}
            """, """
            {"apiVersion":"metal3.io/v1alpha1","kind":"BareMetalHost",
             "metadata":{"name":"host-0","annotations":{"reboot.metal3.io":"{}"}},
             "spec":{"online":true,"bootMACAddress":"52:54:00:00:00:01","consumerRef":{
              "apiVersion":"infrastructure.cluster.x-k8s.io/v1beta2","kind":"Metal3Machine","name":"m3","namespace":"converted"}},
             "status":{"provisioning":{"state":"provisioned","ID":"i","image":{"url":"u"}},"poweredOn":true,
              "operationalStatus":"OK","errorMessage":"","hardware":{"nics":[{"mac":"52:54:00:00:00:01"}]}}}
            """, """
            {"apiVersion":"infrastructure.cluster.x-k8s.io/v1beta2","kind":"Metal3Machine",
             "metadata":{"name":"m3","labels":{"cluster.x-k8s.io/cluster-name":"multinode"},
              "annotations":{"metal3.io/BareMetalHost":"converted/host-0"}},
             "spec":{"providerID":"metal3://converted/host-0/m3","image":{"url":"u","checksum":"c"}},
             "status":{"ready":true,"initialization":{"provisioned":true},"addresses":[{"type":"InternalIP","address":"192.0.2.5"}]}}
            """, """
            {"apiVersion":"cluster.x-k8s.io/v1beta2","kind":"Machine",
             "metadata":{"name":"m","labels":{"cluster.x-k8s.io/cluster-name":"multinode","cluster.x-k8s.io/control-plane":""}},
             "spec":{"clusterName":"multinode","version":"v1.33.5","providerID":"metal3://converted/host-0/m3",
              "bootstrap":{"configRef":{"apiGroup":"bootstrap.cluster.x-k8s.io","kind":"OpenshiftAssistedConfig","name":"kept"}},
              "infrastructureRef":{"apiGroup":"infrastructure.cluster.x-k8s.io","kind":"Metal3Machine","name":"m3"}},
             "status":{"phase":"Running","nodeRef":{"name":"h"},"initialization":{"bootstrapDataSecretCreated":true},
              "conditions":[{"type":"Ready","status":"True","reason":"Ready","message":"",
               "lastTransitionTime":"2026-01-02T03:04:05Z"}]}}
            """, """
            {"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"multinode-manifests",
              "labels":{"cluster.x-k8s.io/cluster-name":"multinode"}},
             "data":{"registries.conf":"unqualified-search-registries = []","ca-bundle.crt":"-----BEGIN CERTIFICATE-----",
              "a.yaml":"apiVersion: v1\\nkind: ConfigMap\\nmetadata: {name: a}\\n"}}
            """, """
            {"apiVersion":"v1","kind":"Secret","metadata":{"name":"multinode-kubeconfig",
              "labels":{"cluster.x-k8s.io/cluster-name":"multinode"}},"stringData":{
             "value":"apiVersion: v1\\nkind: Config\\nclusters: [{name: c, cluster: {server: 'https://127.0.0.1:1'}}]\\n"}}
            """);
}
