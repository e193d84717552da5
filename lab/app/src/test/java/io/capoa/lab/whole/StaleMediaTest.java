package io.capoa.lab.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.conditions.Condition;
import io.capoa.api.contract.Agent;
import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Metal3Machine;
import io.capoa.lab.progress.ClusterRow;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A host whose virtual media still contain the live ISO of another host's Machine. */
@Tag("full")
@Tag("whole")
@SideBySide
@ExtendWith(WholeLab.Shared.class)
class StaleMediaTest {

    private static final String INFRA_ENV = "infraenvs.agent-install.openshift.io";
    private static final String STALE_MAC = "52:54:00:ff:00:01";

    @Test
    void aHostWithStaleMedia_doesNotTakeThePlaceOfTheMachinesOwn(WholeLab lab) {
        String namespace = lab.namespace(0);
        lab.apply(namespace, WholeLab.withoutWorkers(WholeLab.sample("live-iso")));
        Metal3Machine machine = await().atMost(WholeLab.SOON)
                .until(() -> withIso(lab, namespace), Optional::isPresent)
                .orElseThrow();
        String name = machine.getMetadata().getOwnerReferences().stream()
                .filter(owner -> owner.getKind().equals("Machine"))
                .findFirst()
                .orElseThrow()
                .getName();
        bootStale(lab, namespace, String.valueOf(Fields.string(machine, "spec", "image", "url")));
        await().atMost(WholeLab.SOON).until(() -> agents(lab, namespace, name).size() == 1);
        Agent stale = agents(lab, namespace, name).getFirst();
        awaitCondition(lab, namespace, name, "WaitingForBareMetalHost", "Metal3Machine");

        lab.peers().rack(namespace, 3);

        awaitCondition(
                lab, namespace, name, "DuplicateAgent", stale.getMetadata().getName());
        await().atMost(WholeLab.SOON)
                .untilAsserted(() -> assertThat(agents(lab, namespace, name))
                        .hasSize(2)
                        .allSatisfy(agent -> assertThat(Fields.isTrue(agent, "spec", "approved"))
                                .as("%s approved", agent.getMetadata().getName())
                                .isEqualTo(!macs(agent).contains(STALE_MAC))));
        // The remedy in the condition.
        var unused = lab.admin()
                .resources(BareMetalHost.class)
                .inNamespace(namespace)
                .withName("stale")
                .delete();
        await().atMost(WholeLab.SOON)
                .until(() -> lab.admin()
                                .resources(BareMetalHost.class)
                                .inNamespace(namespace)
                                .withName("stale")
                                .get()
                        == null);
        unused = lab.admin().resource(stale).delete();
        lab.awaitReady(namespace);
        assertThat(lab.rows(namespace)).extracting(ClusterRow::ready).containsExactly(true);
    }

    /** A host that is powered on with a stale ISO; Metal3 does not choose it. */
    private static void bootStale(WholeLab lab, String namespace, String iso) {
        lab.apply(namespace, """
            apiVersion: metal3.io/v1alpha1
            kind: BareMetalHost
            metadata: {name: stale, annotations: {capm3.metal3.io/unhealthy: ''}}
            spec:
              online: true
              bootMACAddress: '%s'
              bmc: {address: 'redfish-virtualmedia://192.0.2.1/redfish/v1/Systems/stale', credentialsName: bmc-credentials}
              image: {url: '%s', format: live-iso}
            """.formatted(STALE_MAC, iso));
    }

    private static Optional<Metal3Machine> withIso(WholeLab lab, String namespace) {
        return lab.admin().resources(Metal3Machine.class).inNamespace(namespace).list().getItems().stream()
                .filter(machine -> !String.valueOf(Fields.string(machine, "spec", "image", "url"))
                        .contains("live-iso.invalid"))
                .findFirst();
    }

    private static List<Agent> agents(WholeLab lab, String namespace, String machine) {
        return lab.admin()
                .resources(Agent.class)
                .inNamespace(namespace)
                .withLabels(Map.of(INFRA_ENV, machine))
                .list()
                .getItems();
    }

    private static List<String> macs(Agent agent) {
        return Fields.list(agent, "status", "inventory", "interfaces").stream()
                .map(port -> String.valueOf(Fields.any(port, "macAddress")))
                .toList();
    }

    private static void awaitCondition(WholeLab lab, String namespace, String machine, String reason, String words) {
        await().atMost(WholeLab.SOON)
                .untilAsserted(() -> assertThat(lab
                                .admin()
                                .resources(OpenshiftAssistedConfig.class)
                                .inNamespace(namespace)
                                .list()
                                .getItems()
                                .stream()
                                .filter(config -> config.getMetadata().getOwnerReferences().stream()
                                        .anyMatch(owner -> owner.getName().equals(machine)))
                                .flatMap(config -> config.getStatus() == null
                                                || config.getStatus().conditions() == null
                                        ? java.util.stream.Stream.<Condition>empty()
                                        : config.getStatus().conditions().stream()))
                        .anySatisfy(condition -> {
                            assertThat(condition.type()).isEqualTo("AgentApproved");
                            assertThat(condition.reason()).isEqualTo(reason);
                            assertThat(condition.message()).contains(words);
                        }));
    }
}
