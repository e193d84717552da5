package io.capoa.bootstrap.ignition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The units of an installed host, as systemd reads them and in the order in which it runs them. */
class NodeUnitsTest {

    private static final String EVERYTHING = """
            preBootstrapCommands: ['echo begin >>"$CAPOA_ROOT/said"', 'sleep 1', 'echo end >>"$CAPOA_ROOT/said"']
            postBootstrapCommands: [echo post]
            nodeRegistration: {name: $METADATA_NAME, kubeletExtraLabels: [b=$METADATA_B], providerID: x://$METADATA_UUID}
            """;
    private static final String IN_A_CLOUD = """
            preBootstrapCommands: [echo pre]
            postBootstrapCommands: [echo post]
            nodeRegistration: {metadataSource: AWS, name: $METADATA_LOCAL_HOSTNAME, kubeletExtraLabels: [z=$METADATA_ZONE],
                               providerID: $METADATA_PROVIDER_ID}
            """;
    private static final String FIRST_BOOT = "machine-config-daemon-firstboot.service";
    private static final String ENCAPSULATED = "/etc/ignition-machine-config-encapsulated.json";

    /** What the operating system brings, as far as our units name it. */
    private static final List<String> SERVICES =
            List.of("kubelet.service", FIRST_BOOT, "ostree-finalize-staged.service");

    private static final List<String> TARGETS = List.of(
            "network.target",
            "network-online.target",
            "basic.target",
            "sysinit.target",
            "shutdown.target",
            "multi-user.target");

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path folder;

    @ParameterizedTest
    @ValueSource(strings = {EVERYTHING, IN_A_CLOUD})
    void systemdFindsNothingWrongWithTheUnits(String spec) throws IOException, InterruptedException {
        assumeTrue(hasSystemdAnalyze(), "systemd-analyze is not installed: the units were not verified");
        Map<String, String> units = units(spec);
        assertThat(units).hasSize(7);
        units.forEach((name, text) -> {
            write("/etc/systemd/system/" + name, text);
            program(value(text, "ExecStart").getFirst());
        });
        program("/usr/bin/true");
        SERVICES.forEach(
                name -> write("/etc/systemd/system/" + name, "[Service]\nType=oneshot\nExecStart=/usr/bin/true\n"));
        TARGETS.forEach(name -> write("/etc/systemd/system/" + name, "[Unit]\nDescription=" + name + "\n"));

        List<String> command = new ArrayList<>(List.of("systemd-analyze", "verify", "--root=" + folder));
        command.addAll(units.keySet());
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .start();
        String findings = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).as(findings).isZero();
        assertThat(findings).isEmpty();
    }

    @Test
    void thePreBootstrapCommandsRunWhole_althoughTheMachineConfigFirstBootEndsInAReboot() {
        HostFiles host = new HostFiles(folder)
                .command("systemctl", "")
                .boot(NodeIgnition.installTime(Specs.of(EVERYTHING), null))
                .write(ENCAPSULATED, "{}");

        boot(host);
        boot(host);

        assertThat(host.read("/said")).isEqualTo("begin\nend\n");
        assertThat(host.exists("/var/lib/capoa/pre-bootstrap.done")).isTrue();
    }

    @Test
    void withoutAMachineConfigFirstBoot_theCommandsRunInTheFirstBoot() {
        HostFiles host = new HostFiles(folder)
                .command("systemctl", "")
                .boot(NodeIgnition.installTime(Specs.of(EVERYTHING), null));

        boot(host);

        assertThat(host.read("/said")).isEqualTo("begin\nend\n");
    }

    @Test
    void theCloudsMetadataAreReadWithANetwork_beforeAllThatUsesThem() {
        String unit = Objects.requireNonNull(units(IN_A_CLOUD).get("capoa-cloud-metadata.service"));

        assertThat(value(unit, "After")).containsExactly("network-online.target");
        assertThat(value(unit, "Before").getFirst().split(" ", -1))
                .contains(
                        "set-hostname.service",
                        "kubelet-customlabels.service",
                        "capoa-pre-bootstrap.service",
                        "agent.service",
                        "kubelet.service");
    }

    @Test
    void theHostIsNamed_beforeItsAgentReportsItsNameToAssistedService() {
        Ignition discovery = Ignition.parse(
                NodeIgnition.discovery(
                        "{\"ignition\":{\"version\":\"3.1.0\"}}".getBytes(StandardCharsets.UTF_8),
                        Specs.of(EVERYTHING),
                        "test"),
                "test");

        assertThat(discovery.units())
                .filteredOn(unit -> unit.path("name").asText().equals("set-hostname.service"))
                .singleElement()
                .satisfies(unit -> assertThat(value(unit.path("contents").asText(), "Before"))
                        .containsExactly("agent.service kubelet.service"));
    }

    @Test
    void noUnitFailsWithTheFirstStartOfTheKubelet() {
        assertThat(units())
                .allSatisfy((name, text) ->
                        assertThat(text).as(name).doesNotContain("Requires=", "Requisite=", "BindsTo="));
    }

    /**
     * One boot up to the kubelet. Where the machine-config first boot has work to do it ends in a reboot, which interrupts
     * every unit that is not ordered after it, and of the others none is started.
     */
    private static void boot(HostFiles host) {
        boolean first = host.exists(ENCAPSULATED);
        Map<String, String> units = units();
        for (String name : units.keySet()) {
            String text = units.get(name);
            boolean runs = value(text, "ConditionPathExists").stream()
                    .allMatch(path -> path.startsWith("!") != host.exists(path.replaceFirst("^!", "")));
            if (!value(text, "Before").toString().contains("kubelet.service") || !runs) {
                continue;
            }
            String script = value(text, "ExecStart").getFirst();
            if (!first) {
                assertThat(host.run(script).exitCode()).as(name).isZero();
            } else if (!after(name, units).contains(FIRST_BOOT)) {
                host.cut(script, Duration.ofMillis(700));
            }
        }
        if (first) {
            host.remove(ENCAPSULATED);
        }
    }

    /** All units that are done when the unit starts. */
    private static Set<String> after(String name, Map<String, String> units) {
        Set<String> all = new TreeSet<>();
        List<String> open = new ArrayList<>(List.of(name));
        while (!open.isEmpty()) {
            String next = open.removeLast();
            for (String line : value(units.getOrDefault(next, ""), "After")) {
                for (String earlier : line.split(" ", -1)) {
                    if (all.add(earlier)) {
                        open.add(earlier);
                    }
                }
            }
        }
        return all;
    }

    private static Map<String, String> units() {
        return units(EVERYTHING);
    }

    private static Map<String, String> units(String spec) {
        Map<String, String> units = new LinkedHashMap<>();
        Ignition.parse(NodeIgnition.installTime(Specs.of(spec), null), "test")
                .units()
                .forEach(unit -> units.put(
                        unit.path("name").asText(), unit.path("contents").asText()));
        return units;
    }

    private static List<String> value(String unit, String key) {
        return unit.lines()
                .filter(line -> line.startsWith(key + "="))
                .map(line -> line.substring(key.length() + 1))
                .toList();
    }

    private void program(String path) {
        write(path, "#!/bin/sh\n");
        try {
            Files.setPosixFilePermissions(
                    folder.resolve(path.substring(1)), PosixFilePermissions.fromString("rwxr-xr-x"));
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private void write(String path, String text) {
        try {
            Path file = folder.resolve(path.substring(1));
            Files.createDirectories(java.util.Objects.requireNonNull(file.getParent()));
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    private static boolean hasSystemdAnalyze() throws InterruptedException {
        try {
            Process process = new ProcessBuilder("systemd-analyze", "--version")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return process.waitFor(30, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (IOException missing) {
            return false;
        }
    }
}
