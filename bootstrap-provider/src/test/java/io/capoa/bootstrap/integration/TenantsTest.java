package io.capoa.bootstrap.integration;

import static org.assertj.core.api.Assertions.assertThat;

import io.capoa.api.Annotations;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.Agent;
import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.ClusterDeployment;
import io.capoa.api.contract.InfraEnv;
import io.capoa.api.contract.Machine;
import io.capoa.api.contract.Metal3Machine;
import io.capoa.lab.cluster.AuditEntry;
import io.capoa.lab.tenants.Forgery;
import io.capoa.lab.tenants.ObjectVersions;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A tenant forges references, labels, annotations and owner references to the objects of another namespace. */
@ExtendWith(Scenes.class)
@Execution(ExecutionMode.CONCURRENT)
class TenantsTest {

    private static final int MACHINES = 12;

    private static final List<Class<? extends HasMetadata>> KINDS = List.of(
            OpenshiftAssistedConfig.class,
            Machine.class,
            Metal3Machine.class,
            BareMetalHost.class,
            InfraEnv.class,
            Agent.class,
            Secret.class,
            Cluster.class,
            ClusterDeployment.class,
            AgentClusterInstall.class);

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void noWriteReachesTheObjectsOfAnother(long seed, ConfigScene tenant) {
        try (ConfigScene victim = tenant.another()) {
            victim.ready().machine("m1", "{}").withAgent("m1", "agent-1").provisioned("m1");
            victim.provider.awaitRest();
            Map<String, String> before = versions(victim);
            int written = victim.provider.writes().size();

            tenant.ready();
            Forgeries forgeries = new Forgeries(new Random(seed), tenant, victim);
            for (int n = 0; n < MACHINES; n++) {
                forgeries.add("m" + n);
            }
            tenant.provider.awaitRest();
            forgeries.deleteSome();
            tenant.provider.awaitRest();

            assertThat(tenant.provider.writes())
                    .as("the provider has worked on the forged objects")
                    .hasSizeGreaterThan(MACHINES);
            assertThat(victim.provider.writes().stream().skip(written).map(AuditEntry::toString))
                    .as("writes to the other tenant's objects")
                    .isEmpty();
            assertThat(versions(victim)).isEqualTo(before);
            forgeries.release();
        }
    }

    private static Map<String, String> versions(ConfigScene scene) {
        return ObjectVersions.in(scene.cluster.admin(), scene.namespace, KINDS);
    }

    /**
     * Objects of the tenant. Those of the victim's names are a complete chain to the victim's host: what could be known of a
     * host was read and written by it.
     */
    private static final class Forgeries {

        private static final String TARGET = "m1";

        private static final String KEPT = "tenant.example/keep";

        private final Forgery forgery;
        private final ConfigScene tenant;
        private final ConfigScene victim;
        private final List<String> kept = new ArrayList<>();

        Forgeries(Random random, ConfigScene tenant, ConfigScene victim) {
            this.forgery = new Forgery(random, TARGET);
            this.tenant = tenant;
            this.victim = victim;
            forgery.owner(victim.require(Machine.class, "m1"));
            forgery.owner(victim.require(OpenshiftAssistedConfig.class, "m1-config"));
            forgery.owner(victim.require(InfraEnv.class, "m1"));
            forgery.owner(victim.require(Metal3Machine.class, "m1"));
        }

        void add(String name) {
            Machine machine = tenant.create(
                    Machine.class,
                    ConfigSamples.machine(name, "")
                            .replace(
                                    "kind: Metal3Machine, name: " + name,
                                    "kind: Metal3Machine, name: " + one(name, name, name, "m1")));
            forgery.owner(machine);
            String host = one(
                    name,
                    victim.namespace + "/host-m1",
                    tenant.namespace + "/host-" + name,
                    tenant.namespace + "/../" + victim.namespace + "/host-m1",
                    "host-m1");
            String uid = machine.getMetadata().getUid();
            tenant.create(
                    Metal3Machine.class,
                    ConfigSamples.metal3Machine(
                                    name,
                                    one(name, uid, uid, forgery.targetUid()),
                                    one(name, ConfigSamples.DISK_IMAGE, ConfigSamples.LIVE_ISO))
                            .replace(
                                    "metadata:",
                                    "metadata:\n  annotations: {%s: %s}".formatted(Annotations.BARE_METAL_HOST, host)));
            String consumer = one(name, tenant.namespace, victim.namespace);
            tenant.create(
                    BareMetalHost.class, ConfigSamples.host("host-" + name, "{}", consumer, one(name, name, "m1")));
            config(name);
            others(name);
        }

        private void config(String name) {
            String uid = forgery.anyOwner().getUid();
            OpenshiftAssistedConfig unused = tenant.config(
                    name + "-config",
                    "",
                    one(
                            name,
                            ConfigSamples.machineOwner(
                                    name,
                                    tenant.require(Machine.class, name)
                                            .getMetadata()
                                            .getUid()),
                            ConfigSamples.machineOwner(one(name, name, "m1"), uid)),
                    one(name, "{}", "{pullSecretRef: {name: " + one(name, "m1-config", "theirs") + "}}"));
        }

        private void others(String name) {
            tenant.create(InfraEnv.class, """
                    apiVersion: agent-install.openshift.io/v1beta1
                    kind: InfraEnv
                    metadata: {name: %s-forged, labels: {bootstrap.cluster.x-k8s.io/openshiftAssistedConfig: %s}}
                    spec: {pullSecretRef: {name: theirs}, clusterRef: {name: demo-cp, namespace: %s}}
                    """.formatted(
                    name, one(name, "m1-config", name + "-config"), one(name, victim.namespace, tenant.namespace)));
            tenant.create(Secret.class, """
                    apiVersion: v1
                    kind: Secret
                    metadata: {name: forged-%s, labels: {bootstrap.cluster.x-k8s.io/openshiftAssistedConfig: %s}}
                    """.formatted(name, one(name, "m1-config", name + "-config")));
            // A policy of assisted-service refuses another namespace here.
            tenant.create(
                    Agent.class,
                    ConfigSamples.agent("agent-" + name, one(name, name, "m1"))
                            .replace(
                                    "spec: {",
                                    "spec: {clusterDeploymentName: {name: %s, namespace: %s}, "
                                            .formatted(one(name, "demo-cp", "other"), tenant.namespace)));
        }

        /** Machines that have to be off, and configs. */
        void deleteSome() {
            for (int n = 0; n < MACHINES; n++) {
                String name = "m" + n;
                if (forgery.isTarget(name) || forgery.toss()) {
                    tenant.edit(Machine.class, name, machine -> {
                        machine.getMetadata().setAnnotations(Map.of(Annotations.POWER_OFF_HOST, ""));
                        machine.getMetadata().setFinalizers(List.of(KEPT));
                    });
                    kept.add(name);
                    tenant.delete(Machine.class, name);
                } else {
                    tenant.delete(OpenshiftAssistedConfig.class, name + "-config");
                }
            }
        }

        void release() {
            kept.forEach(name -> tenant.finalizers(Machine.class, name));
        }

        private String one(String name, String first, String... others) {
            return forgery.one(name, first, others);
        }
    }
}
