package io.capoa.bootstrap.config.report;

import static io.capoa.bootstrap.config.observe.ConfigObservations.complete;
import static io.capoa.bootstrap.config.observe.ConfigObservations.metal3;
import static io.capoa.bootstrap.config.observe.ConfigObservations.yaml;
import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.Agent;
import io.capoa.api.contract.Machine;
import io.capoa.api.contract.Metal3Machine;
import io.capoa.bootstrap.agent.HostReport;
import io.capoa.bootstrap.config.observe.ConfigObservations;
import io.capoa.bootstrap.config.plan.ConfigPlan;
import io.capoa.bootstrap.infrastructure.Infrastructure;
import io.capoa.bootstrap.infrastructure.Metal3Infrastructure;
import io.capoa.lab.cluster.SharedCluster;
import io.capoa.lab.cluster.TestCluster;
import io.capoa.lab.table.DocumentBlock;
import io.capoa.lab.table.KubectlTable;
import io.capoa.runtime.assisted.FailedValidation;
import io.capoa.runtime.assisted.ValidationGrace.Verdict;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What {@code kubectl get oac} prints of configs in the states that people ask about: {@code docs/tables.md}. */
@ExtendWith(SharedCluster.class)
@Execution(ExecutionMode.CONCURRENT)
class ConfigTableTest {

    private static final Path DOCUMENT = Path.of("docs", "tables.md");
    private static final int TERMINAL = 120;

    private static final String FITS = "{type: Validated, status: 'True', reason: ValidationsPassing}";

    private static Infrastructure withoutAHost() {
        return new Metal3Infrastructure(yaml("""
                        metadata: {namespace: ns, name: m1-infra}
                        status:
                          conditions:
                          - type: AssociateBareMetalHost
                            status: "False"
                            reason: AssociateBareMetalHostFailed
                            message: >-
                              failed to associate the Metal3Machine to a BareMetalHost: no available host found.
                              Requeuing. Object will be requeued after 30s
                        """, Metal3Machine.class), null);
    }

    /** The observation of a config by its name, which says what state it is in. */
    private static Map<String, ConfigObservations> states() {
        Map<String, ConfigObservations> states = new LinkedHashMap<>();
        states.put("no-free-host", complete().latched().on(withoutAHost()));
        states.put("waiting", complete().latched().on(metal3("qcow2", "bmh-0")));
        states.put("approved", host(FITS, ""));
        states.put("installing", host(progress("Writing image to disk", 40), at("Writing image to disk", 40)));
        states.put("rebooting", host(progress("Rebooting", 80), at("Rebooting", 80)));
        states.put("installed", host("{type: Installed, status: 'True', reason: InstallationCompleted}", ""));
        states.put(
                "duplicate-name",
                host(
                        "{type: Validated, status: 'False', reason: ValidationsFailing, message: failing}",
                        "validationsInfo: {network: [{id: hostname-unique, status: failure, message: Hostname master-0 is not unique in cluster}]}"));
        states.put("wrong-disk", host(FITS, "", "false", "/dev/vda"));
        states.put("on-hold", host(FITS, "debugInfo: {state: known}"));
        states.put(
                "failed-host",
                host(failed("Failed - failed at stage Writing image to disk"), at("Writing image to disk", 40)));
        states.put(
                "beside-failed", host(failed("Host is part of a cluster that failed to install"), at("Rebooting", 80)));
        return states;
    }

    private static String progress(String stage, int percent) {
        return "{type: Installed, status: 'False', reason: InstallationInProgress, message: 'The installation is in progress: %s %d'}"
                .formatted(stage, percent);
    }

    private static String at(String stage, int percent) {
        return "progress: {currentStage: %s, installationPercentage: %d}".formatted(stage, percent);
    }

    private static String failed(String why) {
        return "{type: Installed, status: 'False', reason: InstallationFailed, message: 'The installation has failed: %s'}"
                .formatted(why);
    }

    private static ConfigObservations host(String condition, String status) {
        return host(condition, status, "true", "/dev/sda");
    }

    private static ConfigObservations host(String condition, String status, String approved, String disk) {
        return complete().latched().on(metal3("live-iso", "bmh-0")).itsAgent("""
                    metadata: {name: a}
                    spec: {hostname: master-0, approved: %s}
                    status:
                      inventory: {hostname: master-0, disks: [{id: d1, path: %s, installationEligibility: {eligible: true, notEligibleReasons: []}}]}
                      conditions: [%s]
                      %s
                    """.formatted(
                        approved, disk, condition, status));
    }

    @Test
    void theTables_areThoseOfTheDocument_andTheDefaultOneFitsATerminal(TestCluster cluster) throws IOException {
        String namespace = "tables-" + UUID.randomUUID().toString().substring(0, 8);
        cluster.admin()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(namespace)
                        .endMetadata()
                        .build())
                .create();
        List<List<String>> events = new ArrayList<>();
        states().forEach((name, state) -> {
            Machine machine = ConfigObservations.yaml("""
                metadata: {name: %1$s, namespace: %2$s}
                spec:
                  clusterName: prod
                  bootstrap: {configRef: {apiGroup: bootstrap.cluster.x-k8s.io, kind: OpenshiftAssistedConfig, name: %1$s}}
                  infrastructureRef: {apiGroup: infrastructure.cluster.x-k8s.io, kind: Metal3Machine, name: %1$s}
                """.formatted(name, namespace), Machine.class);
            OpenshiftAssistedConfig made = ConfigObservations.yaml(
                    """
                metadata:
                  name: %1$s
                  namespace: %2$s
                  labels: {cluster.x-k8s.io/cluster-name: prod}
                  ownerReferences: [{apiVersion: cluster.x-k8s.io/v1beta2, kind: Machine, name: %1$s, uid: %3$s}]
                spec: {}
                """.formatted(
                                    name,
                                    namespace,
                                    cluster.admin()
                                            .resource(machine)
                                            .create()
                                            .getMetadata()
                                            .getUid()),
                    OpenshiftAssistedConfig.class);
            OpenshiftAssistedConfig created = cluster.admin().resource(made).create();
            created.setStatus(
                    ConfigReport.of(state.get(), ConfigPlan.of(state.get()), checks(state), Clock.systemUTC()));
            cluster.admin().resource(created).updateStatus();
            ConfigEvents.between(null, created.getStatus())
                    .forEach(event -> events.add(List.of(
                            event.warning() ? "Warning" : "Normal",
                            event.reason(),
                            "openshiftassistedconfig/" + name,
                            event.note())));
        });

        String table = KubectlTable.of(cluster.admin(), OpenshiftAssistedConfig.class, namespace, false);
        String wide = KubectlTable.of(cluster.admin(), OpenshiftAssistedConfig.class, namespace, true);

        assertThat(table).as(DocumentBlock.REWRITE).isEqualTo(new DocumentBlock(DOCUMENT, "oac").committed(table));
        assertThat(wide).as(DocumentBlock.REWRITE).isEqualTo(new DocumentBlock(DOCUMENT, "oac-wide").committed(wide));
        String listed = KubectlTable.ofEvents(events);
        assertThat(listed)
                .as(DocumentBlock.REWRITE)
                .isEqualTo(new DocumentBlock(DOCUMENT, "oac-events").committed(listed));
        assertThat(table.lines()).hasSize(states().size() + 1).allMatch(line -> line.length() <= TERMINAL);
    }

    /** Failing checks have lasted. */
    private static Verdict checks(ConfigObservations state) {
        Agent agent = ConfigPlan.of(state.get()).agents().choice().agent();
        List<FailedValidation> failing = agent == null ? List.of() : HostReport.failing(agent);
        return new Verdict(failing, List.of(), null);
    }
}
