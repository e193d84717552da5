package io.capoa.lab.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.lab.page.Detail.LogLine;
import io.capoa.lab.page.Detail.Ref;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which log lines of the managers the page shows beside an object. */
class ManagerLogsTest {

    private static final Ref CONTROL_PLANE = new Ref("OpenshiftAssistedControlPlane", "demo", "prod");
    private static final Ref CONFIG = new Ref("OpenshiftAssistedConfig", "demo", "prod-a");

    @TempDir
    private Path folder;

    @Test
    void linesOfTheObjects_ofBothManagers_inTheOrderOfTime_withoutTokens() throws IOException {
        write(
                "capoa-controlplane-system.manager-1.manager.log",
                line(
                        "10:00:02",
                        "OpenshiftAssistedControlPlane",
                        "demo",
                        "prod",
                        "InstallSucceeding from True to False"),
                line("10:00:03", "OpenshiftAssistedControlPlane", "demo", "prod-a", "of another control plane"),
                line("10:00:04", "OpenshiftAssistedControlPlane", "other", "prod", "of another namespace"),
                "{\"timestamp\":\"10:00:05\",\"level\":\"info\",\"message\":\"prod of no reconcile\"}",
                "picked up prod: a line that is no JSON",
                "{\"half of a line of prod");
        write(
                "capoa-bootstrap-system.manager-1.manager.log",
                line("10:00:01", "OpenshiftAssistedConfig", "demo", "prod-a", "https://s.example/iso?image_token=abc"));
        write("kube-apiserver.log", line("10:00:00", "OpenshiftAssistedConfig", "demo", "prod-a", "of no manager"));

        assertThat(new ManagerLogs(folder).about(Set.of(CONTROL_PLANE, CONFIG)))
                .containsExactly(
                        new LogLine("10:00:01", "info", "https://s.example/iso?(hidden)"),
                        new LogLine("10:00:02", "info", "InstallSucceeding from True to False"));
    }

    @Test
    void ofALongLog_theEnd() throws IOException {
        String[] lines = new String[5000];
        for (int i = 0; i < lines.length; i++) {
            lines[i] = line("%06d".formatted(i), "OpenshiftAssistedControlPlane", "demo", "prod", "x".repeat(100));
        }
        write("capoa-controlplane-system.manager-1.manager.log", lines);

        assertThat(new ManagerLogs(folder).about(Set.of(CONTROL_PLANE)))
                .hasSize(40)
                .last()
                .extracting(LogLine::time)
                .isEqualTo("004999");
    }

    @Test
    void withoutLogs_noLines() {
        assertThat(new ManagerLogs(folder.resolve("absent")).about(Set.of(CONTROL_PLANE)))
                .isEmpty();
    }

    @Test
    void theCommands_nameTheObject_orTheNamespaceOfSeveral() {
        Ref second = new Ref(CONFIG.kind(), CONFIG.namespace(), "prod-b");

        assertThat(ManagerLogs.commands(List.of(CONTROL_PLANE, CONFIG, second)))
                .containsExactly(
                        "kubectl logs -n capoa-controlplane-system deployment/capoa-controlplane-controller-manager"
                                + " | grep ' demo/prod'",
                        "kubectl logs -n capoa-bootstrap-system deployment/capoa-bootstrap-controller-manager"
                                + " | grep ' demo/'");
        assertThat(ManagerLogs.commands(List.of(new Ref("BareMetalHost", "demo", "host-1"))))
                .isEmpty();
    }

    private void write(String name, String... lines) throws IOException {
        Files.write(folder.resolve(name), List.of(lines));
    }

    private static String line(String time, String kind, String namespace, String name, String message) {
        return """
                {"timestamp":"%s","level":"info","logger":"l","message":"%s","namespace":"%s","name":"%s","kind":"%s"}\
                """.formatted(time, message, namespace, name, kind);
    }
}
