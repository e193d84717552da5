package io.capoa.lab.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InstalledSystemTest {

    @TempDir
    Path folder;

    private InstalledSystem system;

    @BeforeEach
    void writeCommands() throws IOException {
        InstalledSystem.writeCommands(folder.resolve("bin"));
        system = new InstalledSystem(folder.resolve("root"), folder.resolve("bin"));
    }

    @Test
    void unitsRunInTheirOrder_withTheirEnvironment_belowTheRoot() throws Exception {
        IgnitionConfig config = config(List.of(
                unit("second.service", "After=first.service\nBefore=kubelet.service", "EnvironmentFile=/etc/env"),
                unit("first.service", "Before=kubelet.service", ""),
                unit("third.service", "After=kubelet.service", "")));
        UnitOrder order = UnitOrder.of(config);

        system.install(config, "h-0", "{}".getBytes(StandardCharsets.UTF_8));
        system.run(order.beforeKubelet());

        assertThat(order.afterKubelet()).extracting(IgnitionConfig.Unit::name).containsExactly("third.service");
        assertThat(system.read("run/order")).isEqualTo("first \nsecond a b\n");
        assertThat(system.read("etc/hostname").strip()).isEqualTo("renamed");
    }

    /** As the Go provider's units do it, with paths of the real system. */
    @Test
    void aUnitCanMountTheConfigDrive_andWriteAsRoot() throws Exception {
        IgnitionConfig config = IgnitionConfig.of(Map.of(
                "ignition",
                Map.of("version", "3.1.0"),
                "storage",
                Map.of("files", List.of(file("/usr/local/bin/note", 0755, """
                        #!/bin/bash
                        drive=$(mktemp -d)
                        sudo mount -L config-2 "$drive"
                        sudo tee /etc/name <"$drive/openstack/latest/meta_data.json"
                        """))),
                "systemd",
                Map.of("units", List.of(unit("drive.service", "", "")))));

        system.install(config, "h-0", "{\"name\": \"h-0\"}".getBytes(StandardCharsets.UTF_8));
        system.run(config.units());

        assertThat(system.read("etc/name").strip()).isEqualTo("{\"name\": \"h-0\"}");
    }

    /** Paths and programs of the real system are the host's own: nothing is read or written beside its root. */
    @Test
    void aScriptThatKnowsNothingOfTheLab_runsBelowTheRoot() throws Exception {
        String script = """
                #!/bin/bash
                set -euo pipefail
                DONE=/var/lib/lab-test
                mkdir -p "$DONE"
                if [ -f /etc/env ]; then
                    /usr/bin/hostnamectl set-hostname "$(/usr/bin/cut -d= -f2 </etc/env)"
                fi
                touch "$DONE/once" && echo "$1" > /run/order
                """;
        IgnitionConfig config = IgnitionConfig.of(Map.of(
                "ignition",
                Map.of("version", "3.1.0"),
                "storage",
                Map.of(
                        "files",
                        List.of(file("/usr/local/bin/note", 0755, script), file("/etc/env", 0644, "NAME=node-7\n"))),
                "systemd",
                Map.of("units", List.of(unit("name.service", "", "")))));

        system.install(config, "h-0", "{}".getBytes(StandardCharsets.UTF_8));
        system.run(config.units());

        assertThat(system.read("etc/hostname").strip()).isEqualTo("node-7");
        assertThat(system.read("run/order").strip()).isEqualTo("name");
        assertThat(system.root().resolve("var/lib/lab-test/once")).exists();
        assertThat(Path.of("/var/lib/lab-test")).doesNotExist();
    }

    @Test
    void aUnitThatFails_isNamedWithWhatItSaid() throws Exception {
        IgnitionConfig config = config(List.of(unit("missing.service", "", "EnvironmentFile=/etc/absent")));
        system.install(config, "h-0", "{}".getBytes(StandardCharsets.UTF_8));

        assertThatThrownBy(() -> system.run(config.units()))
                .isInstanceOf(Refused.class)
                .hasMessageContaining("missing.service")
                .hasMessageContaining("/etc/absent");
    }

    @Test
    void unitsThatWaitForEachOther_areRefused() {
        assertThatThrownBy(() -> UnitOrder.of(config(
                        List.of(unit("a.service", "After=b.service", ""), unit("b.service", "After=a.service", "")))))
                .isInstanceOf(Refused.class)
                .hasMessageContaining("circle");
    }

    @Test
    void anIgnitionWithoutAnAgent_bootsNothing() throws Exception {
        try (HttpClient http = HttpClient.newHttpClient()) {
            IgnitionConfig config = config(List.of(unit("other.service", "", "")));
            assertThatThrownBy(() -> AgentClient.of(config, http, "id"))
                    .isInstanceOf(Refused.class)
                    .hasMessageContaining("agent.service");
        }
    }

    @Test
    void aConfigThatIsNoIgnition_isRefused() {
        assertThatThrownBy(() -> IgnitionConfig.of(Map.of("systemd", Map.of())))
                .isInstanceOf(Refused.class)
                .hasMessageContaining("version");
    }

    private static IgnitionConfig config(List<Map<String, Object>> units) throws Refused {
        String script = """
                #!/bin/bash
                echo "$1 ${VALUE:-}" >>"$CAPOA_ROOT/run/order"
                hostnamectl set-hostname renamed
                """;
        return IgnitionConfig.of(Map.of(
                "ignition", Map.of("version", "3.1.0"),
                "storage",
                        Map.of(
                                "files",
                                List.of(
                                        file("/usr/local/bin/note", 0755, script),
                                        file("/etc/env", 0644, "VALUE=a b\n"))),
                "systemd", Map.of("units", units)));
    }

    private static Map<String, Object> unit(String name, String head, String service) {
        String text = "[Unit]\n" + head + "\n[Service]\nType=oneshot\n" + service + "\nExecStart=/usr/local/bin/note "
                + name.replace(".service", "") + "\n";
        return Map.of("name", name, "enabled", true, "contents", text);
    }

    private static Map<String, Object> file(String path, int mode, String text) {
        String encoded = java.util.Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
        return Map.of("path", path, "mode", mode, "contents", Map.of("source", "data:text/plain;base64," + encoded));
    }
}
