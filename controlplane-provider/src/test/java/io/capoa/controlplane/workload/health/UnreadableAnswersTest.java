package io.capoa.controlplane.workload.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.controlplane.upgrade.ClusterUpgradeState;
import io.capoa.controlplane.workload.InstalledCluster;
import io.capoa.controlplane.workload.etcd.EtcdHealth;
import io.capoa.controlplane.workload.upgrade.NodeUpdate;
import io.capoa.lab.controller.Delays;
import io.capoa.lab.workload.Tampering;
import java.time.Clock;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A cluster whose answers are not what an API server sends: it is reported as unreachable, and nothing is concluded. */
class UnreadableAnswersTest {

    private static final String NODES = "GET /api/v1/nodes?labelSelector=node-role.kubernetes.io%2Fmaster";
    private static final String VERSION = "GET /apis/config.openshift.io/v1/clusterversions/version";
    private static final String POOLS = "GET /apis/machineconfiguration.openshift.io/v1/machineconfigpools";

    private ThreeNodes cluster;

    @BeforeEach
    void start() throws Exception {
        cluster = new ThreeNodes(Delays.none());
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "null",
                "[]",
                "{}",
                "{\"kind\":\"Status\"}",
                "{\"kind\":\"NodeList\",\"metadata\":{},\"items\":null}",
                "{\"kind\":\"NodeList\",\"metadata\":{},\"items\":[null]}",
                "{\"kind\":\"NodeList\",\"metadata\":{},\"items\":[{\"kind\":\"Node\"}]}",
                "{\"kind\":\"NodeList\",\"items\":"
            })
    void aListThatNoApiServerSends_isNoList(String answer) {
        answer(NODES, text -> answer);

        EtcdHealth etcd = InstalledCluster.etcd(cluster.kubeconfig());

        assertThat(etcd.reached()).isFalse();
        assertThat(etcd.words()).startsWith("its answer is not used, because it ");
    }

    @Test
    void anotherObjectThanWasAskedFor_isNotUsed() {
        answer(VERSION, text -> text.replace("\"name\":\"version\"", "\"name\":\"other\""));

        ClusterUpgradeState state = InstalledCluster.upgrade(cluster.kubeconfig(), "4.20.3");

        assertThat(state.failure()).contains("it is another object than was asked for");
    }

    @Test
    void anAnnotationWithoutValue_isNone() {
        answer(
                "GET /api/v1/nodes/n-1",
                text -> text.replace(
                        "\"machineconfiguration.openshift.io/state\":\"Done\"",
                        "\"machineconfiguration.openshift.io/state\":null"));

        assertThat(InstalledCluster.nodeUpdate(cluster.kubeconfig(), "n-1"))
                .returns("", NodeUpdate::unreachable)
                .returns(false, NodeUpdate::settled);
    }

    @Test
    void aNodeWithLabelsNull_hasNone() {
        answer(NODES, text -> text.replaceAll("\"labels\":\\{[^}]*}", "\"labels\":null"));

        assertThat(InstalledCluster.etcdState(cluster.kubeconfig()).membership().nodes())
                .hasSize(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "{}", "[{", ""})
    void healthThatEtcdctlDoesNotReport_isNotKnown(String answer) {
        answer("exec etcdctl --command-timeout=5s endpoint health --cluster -w json 1", text -> answer);

        EtcdState state = InstalledCluster.etcdState(cluster.kubeconfig());

        assertThat(state.membership()).isNull();
        assertThat(state.unknown()).startsWith("etcdctl ");
    }

    @Test
    void poolsThatCannotBeRead_areNotTakenForNone() {
        answer(POOLS, text -> "{\"kind\":\"Status\"}");

        assertThat(InstalledCluster.upgrade(cluster.kubeconfig(), "4.20.3").failure())
                .contains("its answer is not used");
    }

    @Test
    void anApiServerIsReady_onlyIfItSaysSo() {
        answer("GET /readyz", text -> "");

        assertThat(InstalledCluster.readiness(cluster.kubeconfig()).ready()).isFalse();
        assertThat(InstalledCluster.health(cluster.kubeconfig(), new HealthRounds(false), "", Clock.systemUTC())
                        .api()
                        .failure())
                .contains("it answers /readyz with another text than ok");
    }

    @Test
    void messagesOfEtcdsOperator_areShortened_andHaveNoControlCharacters() {
        answer(
                "GET /apis/operator.openshift.io/v1/etcds/cluster",
                text -> text.replace("No unhealthy members found", "x\\u001b".repeat(5_000)));

        assertThat(InstalledCluster.etcd(cluster.kubeconfig()).words())
                .contains("x x x")
                .hasSizeLessThan(2_500)
                .doesNotContain("\u001b");
    }

    private void answer(String request, UnaryOperator<String> answer) {
        cluster.workload.tamper(new Tampering() {
            @Override
            public boolean takes(String write, byte[] body) {
                throw new AssertionError("nothing may be changed: " + write);
            }

            @Override
            public Reply reply(String asked, Reply honest) {
                return asked.equals(request)
                        ? new Reply(honest.status(), honest.type(), answer.apply(honest.body()), true)
                        : honest;
            }
        });
    }
}
