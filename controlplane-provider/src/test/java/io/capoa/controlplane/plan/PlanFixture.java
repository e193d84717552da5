package io.capoa.controlplane.plan;

import io.capoa.lint.manifest.ManifestFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A cluster whose plan has no finding but what files cannot say, and its hosts, for tests to change one text of it. */
final class PlanFixture {

    /** Three control plane hosts, two workers, and a spare one of each. */
    static final int HOSTS = 7;

    private PlanFixture() {}

    static String cluster() {
        return resource("cluster.yaml");
    }

    /** All hosts with their hardware; control plane hosts first. */
    static String hosts() {
        return hosts(HOSTS);
    }

    /** The same without HardwareData. */
    static String uninspectedHosts() {
        return IntStream.range(0, HOSTS).mapToObj(PlanFixture::host).collect(Collectors.joining());
    }

    /** So many hosts, the first ones for the control plane. */
    static String hosts(int count) {
        return IntStream.range(0, count).mapToObj(i -> host(i) + hardware(i)).collect(Collectors.joining());
    }

    private static String host(int number) {
        return """
                ---
                apiVersion: metal3.io/v1alpha1
                kind: BareMetalHost
                metadata: {name: host-%1$d, labels: {role: %2$s}}
                spec:
                  online: true
                  bootMACAddress: 52:54:00:00:%3$02x:%4$02x
                  bmc: {address: 'redfish-virtualmedia://192.0.2.200/redfish/v1/Systems/%1$d', credentialsName: bmc-%1$d}
                  rootDeviceHints: {deviceName: /dev/sda}
                status:
                  errorCount: 0
                  errorMessage: ""
                  operationalStatus: OK
                  poweredOn: false
                  hardwareProfile: ""
                  provisioning: {ID: "", image: {url: ""}, state: available}
                """.formatted(number, number < 4 ? "cp" : "worker", number / 256, number % 256);
    }

    private static String hardware(int number) {
        return """
                ---
                apiVersion: metal3.io/v1alpha1
                kind: HardwareData
                metadata: {name: host-%1$d}
                spec:
                  hardware:
                    hostname: host-%1$d
                    cpu: {arch: x86_64, count: 16}
                    ramMebibytes: 32768
                    nics: [{name: eno1, mac: '52:54:00:00:%2$02x:%3$02x', ip: 192.0.2.2%1$d}]
                    storage: [{name: /dev/sda, sizeBytes: 480000000000, rotational: false, model: disk-%1$d}]
                """.formatted(number, number / 256, number % 256);
    }

    static PlanResult plan(String yaml) {
        return PlanResult.of(PlanInput.of(List.of(new ManifestFile("plan.yaml", yaml)), "default"), null);
    }

    static String resource(String name) {
        try (InputStream in = Objects.requireNonNull(PlanFixture.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
