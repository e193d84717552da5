package io.capoa.runtime.connection;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.type.TypeReference;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.Agent;
import io.fabric8.kubernetes.api.model.DefaultKubernetesResourceList;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.WatchEvent;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads as fabric8 does, in less time. */
class ObjectReadingTest {

    private static final String AGENT = """
            {"type":"MODIFIED","object":{"apiVersion":"agent-install.openshift.io/v1beta1","kind":"Agent","metadata":\
            {"name":"a","namespace":"n","uid":"u","resourceVersion":"7","generation":2,\
            "creationTimestamp":"2026-01-01T00:00:00Z","labels":{"a":"b"},\
            "ownerReferences":[{"apiVersion":"v1","kind":"K","name":"o","uid":"x","controller":true}],\
            "finalizers":["f"]},"spec":{"approved":true,"count":3,"list":[{"x":null},1.5]},"status":{"text":"ü\\n"}}}
            """;

    private final KubernetesSerialization fabric8 = new KubernetesSerialization();
    private final ObjectReading reading = new ObjectReading("ours");

    @BeforeEach
    void register() {
        for (KubernetesSerialization each : List.of(fabric8, reading)) {
            each.registerKubernetesResource(Agent.class);
            each.registerKubernetesResource(OpenshiftAssistedConfig.class);
            each.registerKubernetesResource(Secret.class);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {AGENT, """
                {"type":"ADDED","object":{"apiVersion":"bootstrap.cluster.x-k8s.io/v1beta1",\
                "kind":"OpenshiftAssistedConfig","metadata":{"name":"c"},"spec":{"cpuArchitecture":"x86_64"},\
                "status":{"conditions":[{"type":"Ready","status":"True","reason":"R","message":"",\
                "lastTransitionTime":"2026-01-01T00:00:00Z"}]}}}
                """, """
                {"type":"DELETED","object":{"kind":"Secret","apiVersion":"v1","metadata":{"name":"s"},\
                "data":{"a":"Yg=="},"type":"Opaque"}}
                """, """
                {"type":"BOOKMARK","object":{"kind":"Secret","apiVersion":"v1","metadata":{"resourceVersion":"9",\
                "creationTimestamp":null}}}
                """, """
                {"type":"ERROR","object":{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",\
                "message":"too old resource version","reason":"Expired","code":410}}
                """, """
                {"type":"ADDED","object":{"apiVersion":"example.com/v1","kind":"Unheard","metadata":{"name":"x"},\
                "spec":{"a":1}}}
                """, """
                {"object":{"metadata":{"name":"a"},"kind":"Agent","apiVersion":"agent-install.openshift.io/v1beta1"},\
                "type":"ADDED"}
                """})
    void anEvent_isWhatFabric8MakesOfIt(String text) {
        WatchEvent expected = fabric8.unmarshal(text, WatchEvent.class);

        WatchEvent event = reading.unmarshal(text, WatchEvent.class);

        assertThat(event.getType()).isEqualTo(expected.getType());
        assertThat(event.getObject()).hasSameClassAs(expected.getObject());
        assertThat(fabric8.asJson(event.getObject())).isEqualTo(fabric8.asJson(expected.getObject()));
    }

    @Test
    void kindsThatAreKnown_areReadAsTheirClass() {
        assertThat(reading.unmarshal(AGENT, WatchEvent.class).getObject()).isInstanceOf(Agent.class);
        assertThat(reading.unmarshal(
                                "{\"type\":\"ADDED\",\"object\":{\"kind\":\"Secret\",\"apiVersion\":\"v1\",\"metadata\":{}}}",
                                WatchEvent.class)
                        .getObject())
                .isInstanceOf(Secret.class);
        assertThat(reading.unmarshal(
                                "{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{}}}",
                                WatchEvent.class)
                        .getObject())
                .isInstanceOf(Status.class);
    }

    /** Stored before their types were checked: one of them must not fail every list of the kind. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"spec\":7",
                "\"spec\":[]",
                "\"spec\":{\"proxy\":7,\"cpuArchitecture\":\"s390x\"}",
                "\"spec\":{\"proxy\":[{}],\"cpuArchitecture\":\"s390x\"}",
                "\"spec\":{\"osImageVersion\":{\"a\":[1]},\"cpuArchitecture\":\"s390x\"}",
                "\"spec\":{\"osImageVersion\":7,\"cpuArchitecture\":\"s390x\"}",
                "\"spec\":{\"installerArgs\":{},\"cpuArchitecture\":\"s390x\"}",
                "\"spec\":{\"installerArgs\":[{}],\"cpuArchitecture\":\"s390x\"}",
                "\"spec\":{\"nodeLabels\":[],\"cpuArchitecture\":\"s390x\"}",
                "\"spec\":{\"osImageVersion\":[\"a\"],\"cpuArchitecture\":\"s390x\"}",
                "\"spec\":{\"installationDisk\":{\"rotational\":{}},\"cpuArchitecture\":\"s390x\"}",
                "\"spec\":\"\"",
                "\"spec\":{\"installationDisk\":{\"minSizeGigabytes\":{}},\"cpuArchitecture\":\"s390x\"}",
                "\"spec\":{\"installationDisk\":{\"rotational\":\"perhaps\",\"minSizeGigabytes\":\"x\"},\"cpuArchitecture\":\"s390x\"}",
                "\"spec\":{\"cpuArchitecture\":\"s390x\"},\"status\":{\"conditions\":{},\"initialization\":1}"
            })
    void aValueOfAnotherType_isAbsent_whateverReadsIt(String content) {
        String object =
                "{\"apiVersion\":\"bootstrap.cluster.x-k8s.io/v1beta1\",\"kind\":\"OpenshiftAssistedConfig\",\"metadata\":{\"name\":\"c\"},"
                        + content + "}";
        InputStream list = new ByteArrayInputStream(
                "{\"kind\":\"List\",\"metadata\":{\"resourceVersion\":\"7\"},\"items\":[%s,%s]}"
                        .formatted(object, object)
                        .getBytes(StandardCharsets.UTF_8));
        List<OpenshiftAssistedConfig> read = new ArrayList<>(
                reading.unmarshal(list, new TypeReference<DefaultKubernetesResourceList<OpenshiftAssistedConfig>>() {})
                        .getItems());
        read.add((OpenshiftAssistedConfig)
                reading.unmarshal("{\"type\":\"ADDED\",\"object\":" + object + "}", WatchEvent.class)
                        .getObject());
        read.add(reading.unmarshal(
                new ByteArrayInputStream(object.getBytes(StandardCharsets.UTF_8)),
                new TypeReference<OpenshiftAssistedConfig>() {}));

        assertThat(read).hasSize(4).allSatisfy(config -> {
            assertThat(config.getMetadata().getName()).isEqualTo("c");
            if (content.contains("s390x")) {
                assertThat(config.getSpec().cpuArchitecture()).isEqualTo("s390x");
                assertThat(config.getSpec().proxy()).isNull();
            } else {
                assertThat(config.getSpec()).isNull();
            }
        });
    }

    @Test
    void valuesThatAreReadAsAbsent_areNamed() {
        assertThat(config(
                                "{\"installationDisk\":{\"rotational\":\"perhaps\",\"minSizeGigabytes\":{}},\"installerArgs\":[{}]}")
                        .unreadable())
                .containsExactlyInAnyOrder(
                        "spec.installationDisk.rotational has a value of another type than the field",
                        "spec.installationDisk.minSizeGigabytes has a value of another type than the field",
                        "spec.installerArgs[0] has a value of another type than the field");
        assertThat(config("{\"cpuArchitecture\":\"s390x\"}").unreadable()).isEmpty();
    }

    @Test
    void anObjectWithTooManyOfThem_isReadByItsMetadataOnly() {
        OpenshiftAssistedConfig read = config("{\"installerArgs\":[%s]}"
                .formatted(String.join(",", Collections.nCopies(PartialReading.MOST + 1, "{}"))));

        assertThat(read.getMetadata().getName()).isEqualTo("c");
        assertThat(read.getSpec()).isNull();
        assertThat(read.unreadable()).contains("spec has too many values of other types than their fields");
    }

    private OpenshiftAssistedConfig config(String spec) {
        return reading.unmarshal(
                stream("{\"apiVersion\":\"bootstrap.cluster.x-k8s.io/v1beta1\",\"kind\":\"OpenshiftAssistedConfig\","
                        + "\"metadata\":{\"name\":\"c\"},\"spec\":" + spec + "}"),
                new TypeReference<OpenshiftAssistedConfig>() {});
    }

    @Test
    void kindsThatAreNotRegistered_areReadWithoutTheirClass() {
        assertThat(reading.unmarshal("""
                        {"type":"ADDED","object":{"kind":"Deployment","apiVersion":"apps/v1","metadata":{"name":"d"}}}
                        """, WatchEvent.class).getObject()).isInstanceOf(GenericKubernetesResource.class);
    }

    /** Long texts are read in pieces. */
    @ParameterizedTest
    @ValueSource(ints = {0, 100_000})
    void ofManagedFields_onlyOursAreKept(int padding) {
        String text = AGENT.replace("\"text\":", "\"padding\":\"" + "ä".repeat(padding) + "\",\"text\":")
                .replace("\"labels\":{\"a\":\"b\"}", "\"labels\":{\"a\":\"" + "b".repeat(padding) + "\"}")
                .replace("\"finalizers\":[\"f\"]", """
                "managedFields":[{"apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"manager":"ours"}},\
                "manager":"other","operation":"Update","time":"2026-01-01T00:00:00Z"},{"apiVersion":"v1",\
                "fieldsType":"FieldsV1","fieldsV1":{"f:spec":{"f:approved":{}}},"manager":"ours",\
                "operation":"Apply","time":"2026-01-01T00:00:00Z"},{"manager":"other","operation":"Apply"},\
                {"manager":"ours","operation":"Update"},{"manager":"ours","operation":"Apply","subresource":"status"}],\
                "finalizers":["f"]""");

        HasMetadata read =
                (HasMetadata) reading.unmarshal(text, WatchEvent.class).getObject();

        HasMetadata expected =
                (HasMetadata) fabric8.unmarshal(text, WatchEvent.class).getObject();
        ManagedFieldsEntry ours = expected.getMetadata().getManagedFields().get(1);
        assertThat(read.getMetadata().getManagedFields()).containsExactly(ours);
        assertThat(read.getMetadata().getFinalizers()).containsExactly("f");
    }

    @Test
    void anythingElse_isReadByFabric8() {
        assertThat(reading.unmarshal(
                                "{\"apiVersion\":\"a/v1\",\"kind\":\"K\",\"spec\":{}}", GenericKubernetesResource.class)
                        .getKind())
                .isEqualTo("K");
    }

    @Test
    void anAnswer_isReadAsWhatWasAskedFor_withOurManagedFields() {
        String text = """
                {"kind":"Secret","apiVersion":"v1","metadata":{"name":"s","managedFields":[{"manager":"other",\
                "operation":"Update"},{"manager":"ours","operation":"Apply"}]},"data":{"a":"Yg=="}}""";

        Secret read = reading.unmarshal(stream(text), new TypeReference<Secret>() {});

        assertThat(read.getData()).containsEntry("a", "Yg==");
        assertThat(read.getMetadata().getManagedFields())
                .extracting(ManagedFieldsEntry::getManager)
                .containsExactly("ours");
    }

    @Test
    void anAnswerOfAnotherForm_isLeftToFabric8() {
        Secret read = reading.unmarshal(
                stream("kind: Secret\napiVersion: v1\nmetadata: {name: s}\n"), new TypeReference<Secret>() {});

        assertThat(read.getMetadata().getName()).isEqualTo("s");
    }

    private static InputStream stream(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void buffersOfABurst_areNotKept() throws Exception {
        int readers = 50;
        CountDownLatch allRead = new CountDownLatch(readers);
        try (ExecutorService burst = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int n = 0; n < readers; n++) {
                InputStream slow = inTwoParts("{\"a\":1}", allRead);
                var unused = burst.submit(() -> reading.unmarshal(slow, new TypeReference<Map<String, Object>>() {}));
            }
        }

        assertThat(allRead.getCount())
                .as("readers that did not read at the same time")
                .isZero();
        assertThat(reading.buffers().pooledCount()).isBetween(1, ObjectReading.BUFFERS);
    }

    /** The second part comes when as many readers wait for theirs. */
    private static InputStream inTwoParts(String text, CountDownLatch readers) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)) {
            @Override
            public synchronized int read(byte[] target, int offset, int length) {
                if (pos > 0) {
                    readers.countDown();
                    try {
                        boolean unused = readers.await(10, TimeUnit.SECONDS);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                }
                return super.read(target, offset, Math.min(length, 4));
            }

            @Override
            public synchronized int available() {
                return 0;
            }
        };
    }
}
