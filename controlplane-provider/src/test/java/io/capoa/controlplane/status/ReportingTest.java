package io.capoa.controlplane.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.conditions.Condition;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneStatus;
import io.capoa.runtime.status.Patience;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which control planes are reconciled first when many wait, and how long their statuses are held back. */
class ReportingTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {}                                                                                      | 0
            {status: {conditions: [{type: Ready, status: 'False', reason: Installing}]}}            | 1
            {status: {initialization: {controlPlaneInitialized: true}}}                             | 2
            {status: {initialization: {controlPlaneInitialized: true}, conditions: [\
            {type: Ready, status: 'False', reason: NotHealthy}, \
            {type: InstallSucceeding, status: 'True', reason: InstallCompleted}]}}                  | 2
            {status: {initialization: {controlPlaneInitialized: true}, conditions: [\
            {type: Ready, status: 'True', reason: Ready}, \
            {type: InstallSucceeding, status: 'True', reason: InstallCompleted}]}}                  | 0
            """)
    void installations_comeInTheOrderOfTheirProgress_completeOnesAsNewOnes(String yaml, int stage) {
        OpenshiftAssistedControlPlane controlPlane =
                Serialization.unmarshal("---\n" + yaml, OpenshiftAssistedControlPlane.class);

        assertThat(Reporting.stage(controlPlane)).isEqualTo(stage);
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(delimiter = '|', textBlock = """
            InstallSucceeding=True/WaitingForHosts  | InstallSucceeding=True/WaitingForHosts words      | 20  | false
            InstallSucceeding=True/WaitingForHosts  | InstallSucceeding=True/Installing                 | 20  | false
            InstallSucceeding=True/Installing       | MachinesReady=False/MachinesNotReady 1 of 3       | 20  | false
            InstallSucceeding=True/Installing       | EtcdClusterHealthy=Unknown/HealthUnknown soon     | 20  | false
            InstallSucceeding=True/Installing       | InstallationPlanned=True/InstallationPlanned      | 20  | false
            InstallSucceeding=True/Installing       | InstallationPlanned=True/FindingsAccepted x       | 0.5 | false
            InstallSucceeding=True/Installing       | KubeconfigAvailable=True/KubeconfigAvailable      | 0.5 | false
            InstallSucceeding=True/Installing       | KubeconfigAvailable=True/KubeconfigUserProvided   | 0.5 | false
            InstallSucceeding=True/Installing       | KubeconfigAvailable=False/KubeconfigUnavailable x | 2   | false
            InstallSucceeding=True/Installing       | Available=True/Available                          | 0.5 | false
            InstallSucceeding=True/Installing       | Paused=True/Paused                                | 0.5 | false
            InstallSucceeding=True/Installing       | Ready=False/InternalError words                   | 0.5 | false
            InstallSucceeding=True/Installing       | InstallSucceeding=True/Installing too late        | 2   | false
            InstallSucceeding=True/Installing       | InstallSucceeding=True/InstallCompleted           | 0.5 | false
            InstallSucceeding=True/Installing       | MachinesCreated=False/MachineGenerationFailed     | 0.5 | true
            InstallSucceeding=True/Installing       | InstallSucceeding=False/InstallFailed             | 0.5 | true
            InstallSucceeding=True/WaitingForHosts  | InstallSucceeding=False/InstallationOnHold        | 0.5 | true
            InstallSucceeding=True/WaitingForHosts  | InstallSucceeding=False/HostsNotReady             | 0.5 | true
            InstallSucceeding=False/HostsNotReady   | InstallSucceeding=False/HostsNotReady words       | 2   | true
            InstallSucceeding=False/HostsNotReady   | InstallSucceeding=True/WaitingForHosts            | 0.5 | false
            InstallSucceeding=True/InstallCompleted | MachinesReady=False/MachinesNotReady 2 of 3       | 2   | false
            InstallSucceeding=True/InstallCompleted | EtcdClusterHealthy=False/NotHealthy               | 0.5 | true
            InstallSucceeding=True/InstallCompleted | Available=False/EtcdMajorityLost                  | 0.5 | true
            InstallSucceeding=True/InstallCompleted | Remediating=False/CannotBeRemediated words        | 0.5 | true
            InstallSucceeding=True/InstallCompleted | UpgradeAvailable=False/UpgradeNotUpgradeable      | 0.5 | true
            InstallSucceeding=True/InstallCompleted | UpgradeCompleted=False/UpgradeInProgress          | 0.5 | false
            """)
    void theCourseOfAnInstallation_isHeldBack_andWhatNeedsAPersonIsNot(
            String before, String change, double seconds, boolean urgent) {
        Map<String, Condition> conditions = new TreeMap<>();
        for (String condition : List.of(
                "KubeconfigAvailable=False/KubeconfigUnavailable Kubeconfig not available",
                "InstallationPlanned=True/InstallationPlanned warnings: spare-host",
                "MachinesCreated=True/MachinesCreated",
                "MachinesReady=False/MachinesNotReady",
                "EtcdClusterHealthy=Unknown/HealthUnknown",
                "Available=False/ControlPlaneInstalling",
                "Paused=False/NotPaused",
                "Remediating=False/NotRemediating",
                "UpgradeAvailable=Unknown/UpgradeClusterUnreachable",
                "UpgradeCompleted=True/UpgradeCompleted",
                "Ready=False/ControlPlaneInstalling",
                before)) {
            put(conditions, condition);
        }
        OpenshiftAssistedControlPlaneStatus then = status(conditions);
        put(conditions, change.replace("\\n", "\n"));

        Patience patience = Reporting.patience(then, status(conditions));

        assertThat(patience).isEqualTo(new Patience(Duration.ofMillis((long) (seconds * 1000)), urgent));
    }

    @Test
    void theNumberOfReadyMachines_waitsForTheNext_untilAllAreReady() {
        Map<String, Condition> conditions = new TreeMap<>();
        put(conditions, "MachinesReady=False/MachinesNotReady 0 of 3");
        OpenshiftAssistedControlPlaneStatus before = status(conditions);
        put(conditions, "MachinesReady=False/MachinesNotReady 2 of 3");
        assertThat(Reporting.patience(before, ready(status(conditions), 2)))
                .isEqualTo(Patience.of(Duration.ofSeconds(2)));
        put(conditions, "MachinesReady=True/MachinesReady");
        assertThat(Reporting.patience(before, ready(status(conditions), 3)))
                .isEqualTo(Patience.of(Duration.ofMillis(500)));
    }

    private static OpenshiftAssistedControlPlaneStatus ready(OpenshiftAssistedControlPlaneStatus status, int machines) {
        return status.with(machines, machines, 1L, status.conditions());
    }

    @Test
    void aTroubleThatLasts_doesNotHurryWhatChangesBesideIt() {
        Map<String, Condition> conditions = new TreeMap<>();
        put(conditions, "InstallSucceeding=True/InstallCompleted");
        put(conditions, "EtcdClusterHealthy=False/NotHealthy");
        put(conditions, "RollingOut=False/NotRollingOut");
        OpenshiftAssistedControlPlaneStatus before = status(conditions);
        put(conditions, "RollingOut=True/RollingOut");

        assertThat(Reporting.patience(before, status(conditions))).isEqualTo(Patience.of(Duration.ofMillis(500)));
    }

    @Test
    void theFirstStatus_andAnotherGeneration_areShownSoon() {
        Map<String, Condition> conditions = new TreeMap<>();
        put(conditions, "InstallSucceeding=True/WaitingForHosts");
        OpenshiftAssistedControlPlaneStatus first = status(conditions);

        assertThat(Reporting.patience(null, first)).isEqualTo(Patience.of(Duration.ofMillis(500)));
        assertThat(Reporting.patience(first, status(conditions, 2))).isEqualTo(Patience.of(Duration.ofMillis(500)));
    }

    @Test
    void completion_isShownAtOnce_andWhatFollowsIsGathered() {
        Map<String, Condition> conditions = new TreeMap<>();
        put(conditions, "Ready=False/MachinesNotReady");
        put(conditions, "InstallSucceeding=True/Installing");
        OpenshiftAssistedControlPlaneStatus installing = status(conditions);
        put(conditions, "Ready=True/Ready");
        OpenshiftAssistedControlPlaneStatus ready = status(conditions);
        put(conditions, "InstallSucceeding=True/InstallCompleted");
        OpenshiftAssistedControlPlaneStatus complete = status(conditions);
        put(conditions, "EtcdClusterHealthy=True/Healthy");
        OpenshiftAssistedControlPlaneStatus healthy = status(conditions);

        assertThat(Reporting.patience(installing, complete)).isEqualTo(Patience.NONE);
        assertThat(List.of(Reporting.patience(ready, complete), Reporting.patience(complete, healthy)))
                .containsOnly(Patience.urgent(Duration.ofMillis(500)));
    }

    private static void put(Map<String, Condition> conditions, String condition) {
        String[] part = condition.split("[=/ \n]", 4);
        String message = condition
                .substring(part[0].length() + part[1].length() + part[2].length() + 2)
                .replaceFirst("^ ", "");
        conditions.put(part[0], new Condition(part[0], part[1], part[2], message, "", 1L));
    }

    private static OpenshiftAssistedControlPlaneStatus status(Map<String, Condition> conditions) {
        return status(conditions, 1);
    }

    private static OpenshiftAssistedControlPlaneStatus status(Map<String, Condition> conditions, long generation) {
        OpenshiftAssistedControlPlane controlPlane = Serialization.unmarshal(
                Serialization.asYaml(Map.of(
                        "status",
                        Map.of("observedGeneration", generation, "conditions", List.copyOf(conditions.values())))),
                OpenshiftAssistedControlPlane.class);
        return controlPlane.getStatus();
    }
}
