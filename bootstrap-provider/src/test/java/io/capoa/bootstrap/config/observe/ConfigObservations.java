package io.capoa.bootstrap.config.observe;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfig;
import io.capoa.api.contract.Agent;
import io.capoa.api.contract.AgentClusterInstall;
import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.ClusterDeployment;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.InfraEnv;
import io.capoa.api.contract.Machine;
import io.capoa.api.contract.Metal3Machine;
import io.capoa.bootstrap.boot.AssistedServiceAddress;
import io.capoa.bootstrap.boot.BootMedia;
import io.capoa.bootstrap.boot.ServiceAuthorities.Certificates;
import io.capoa.bootstrap.ignition.DiscoveryMark;
import io.capoa.bootstrap.infrastructure.CachedMetal3;
import io.capoa.bootstrap.infrastructure.Infrastructure;
import io.capoa.bootstrap.infrastructure.Metal3Infrastructure;
import io.capoa.runtime.lookup.LookupResult;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import okio.ByteString;
import org.jspecify.annotations.Nullable;

/** An observation in which a Machine has all that it needs; a test changes what it is about. */
public final class ConfigObservations {

    public static final String ISO = "http://assisted/byapikey/TOKEN/full.iso";

    /** Of the host that {@link #metal3} names, as its Agent reports it. */
    public static final String MAC = "52:54:00:0a:00:01";

    private String spec = "{}";
    private String status = "";
    private String installState = "insufficient";
    private Infrastructure infrastructure = metal3("qcow2", null);
    private @Nullable InfraEnv infraEnv = published("T1");
    private final List<Agent> agents = new ArrayList<>();
    private @Nullable Secret secret;
    private boolean imageReplaced;
    private @Nullable String release;
    private String network = "";
    private int foreignNetwork;
    private Certificates certificates = Certificates.NONE;
    private final Map<String, String> annotations = new HashMap<>();
    private final Map<String, String> machineAnnotations = new HashMap<>();
    private boolean installed;
    private boolean refused;
    private boolean going;
    private @Nullable Machine machine;
    private List<Machine> leaving = List.of();
    private LookupResult<ByteString> download =
            new LookupResult.Known<>(ByteString.encodeUtf8("{\"ignition\":{\"version\":\"3.1.0\"}}"));

    public static ConfigObservations complete() {
        return new ConfigObservations();
    }

    public ConfigObservations spec(String yaml) {
        spec = yaml;
        return this;
    }

    /** No host has registered since that time. */
    public ConfigObservations unregisteredSince(String time) {
        status = """
            status:
              initialization: {dataSecretCreated: true}
              dataSecretName: c1
              conditions:
              - {type: AgentRegistered, status: "False", reason: WaitingForAgent, message: "", lastTransitionTime: "%s"}
            """.formatted(time).indent(16).strip();
        return this;
    }

    /** An annotation of the config. */
    public ConfigObservations annotation(String name, String value) {
        annotations.put(name, value);
        return this;
    }

    /** The release that the cluster runs. */
    public ConfigObservations release(String version) {
        release = version;
        return this;
    }

    public ConfigObservations latched() {
        status = "status: {initialization: {dataSecretCreated: true}, dataSecretName: c1}";
        return this;
    }

    public ConfigObservations installState(String state) {
        installState = state;
        return this;
    }

    /** assisted-service refuses the AgentClusterInstall. */
    public ConfigObservations installRefused() {
        refused = true;
        return this;
    }

    /** The Machine is being deleted. */
    public ConfigObservations going() {
        going = true;
        return this;
    }

    /** The Machine, with its annotations. */
    public ConfigObservations machine(Machine other) {
        machine = other;
        return this;
    }

    /** An annotation of the Machine. */
    public ConfigObservations machineAnnotation(String name, String value) {
        machineAnnotations.put(name, value);
        return this;
    }

    /** The cluster is complete and takes hosts. */
    public ConfigObservations installed() {
        installed = true;
        return installState("adding-hosts");
    }

    public ConfigObservations imageReplaced() {
        imageReplaced = true;
        return this;
    }

    public ConfigObservations on(Infrastructure other) {
        infrastructure = other;
        return this;
    }

    public ConfigObservations infraEnv(@Nullable InfraEnv other) {
        infraEnv = other;
        return this;
    }

    public ConfigObservations agent(String yaml) {
        agents.add(yaml(yaml, Agent.class));
        return this;
    }

    /** The Agent of the host that {@link #metal3} names, which has reported its interfaces. */
    public ConfigObservations itsAgent(String yaml) {
        return agent(yaml, MAC);
    }

    /** An Agent whose host has reported an interface. */
    public ConfigObservations agent(String yaml, String mac) {
        Agent agent = yaml(yaml, Agent.class);
        Map<String, Object> status = new HashMap<>(Fields.map(agent, "status"));
        Map<String, Object> inventory = new HashMap<>(Fields.map(agent, "status", "inventory"));
        inventory.put("interfaces", List.of(Map.of("macAddress", "00:00:00:00:00:00"), Map.of("macAddress", mac)));
        status.put("inventory", inventory);
        agent.setAdditionalProperty("status", status);
        agents.add(agent);
        return this;
    }

    /** The NMStateConfigs that are selected have this fingerprint. */
    public ConfigObservations network(String fingerprints) {
        network = fingerprints;
        return this;
    }

    /** NMStateConfigs of other namespaces match the selector too. */
    public ConfigObservations foreignNetwork(int number) {
        foreignNetwork = number;
        return this;
    }

    /** Another Machine of the cluster, which has that Node, is being deleted. */
    public ConfigObservations leaving(String node) {
        leaving = List.of(yaml("""
            metadata: {namespace: ns, name: earlier, deletionTimestamp: '2026-01-01T00:00:00Z'}
            spec: {clusterName: demo}
            status: {nodeRef: {name: %s}}
            """.formatted(node), Machine.class));
        return this;
    }

    /** What a host needs to trust assisted-service is known so far. */
    public ConfigObservations certificates(Certificates known) {
        certificates = known;
        return this;
    }

    public ConfigObservations secret(Secret made) {
        secret = made;
        return this;
    }

    public ConfigObservations download(LookupResult<ByteString> state) {
        download = state;
        return this;
    }

    public ConfigObservation get() {
        OpenshiftAssistedConfig config = yaml("""
            metadata: {namespace: ns, name: c1, uid: config-uid, generation: 1}
            spec: %s
            %s
            """.formatted(spec, status), OpenshiftAssistedConfig.class);
        config.getMetadata().setAnnotations(annotations);
        AgentClusterInstall install = yaml(
                "{metadata: {name: cp}, status: {debugInfo: {state: %s}, conditions: [{type: Completed, status: '%s', lastTransitionTime: '2026-01-01T01:00:00Z'}, {type: SpecSynced, status: '%s', reason: InputError, message: bad key}]}}"
                        .formatted(installState, installed ? "True" : "False", refused ? "False" : "True"),
                AgentClusterInstall.class);
        return new ConfigObservation(
                config,
                new Owner.Of(machine == null ? machine() : machine),
                new ConfigObservation.ClusterObjects(
                        yaml("""
                            metadata: {namespace: ns, name: demo}
                            status: {initialization: {infrastructureProvisioned: true}}
                            """, Cluster.class),
                        yaml("metadata: {namespace: ns, name: cp}", ClusterDeployment.class),
                        InstallFacts.of(install),
                        release,
                        leaving),
                infrastructure,
                new ConfigObservation.Discovery(
                        infraEnv,
                        infraEnv == null ? BootMedia.NONE : BootMedia.of(infraEnv, AssistedServiceAddress.PUBLISHED),
                        agents,
                        foreignNetwork,
                        network.isEmpty() ? null : DiscoveryMark.of(network),
                        digest(config),
                        certificates),
                secret,
                new ConfigObservation.Asked(ConfigObservation.PullSecret.PRESENT, download, imageReplaced));
    }

    private Machine machine() {
        Machine made = yaml("metadata: {namespace: ns, name: m1, uid: machine-uid}", Machine.class);
        made.getMetadata().setAnnotations(machineAnnotations);
        made.getMetadata().setDeletionTimestamp(going ? "2026-01-01T00:00:00Z" : null);
        return made;
    }

    /** As ConfigObserver has it. */
    private @Nullable String digest(OpenshiftAssistedConfig config) {
        if (infraEnv == null) {
            return null;
        }
        BootMedia media = BootMedia.of(infraEnv, AssistedServiceAddress.PUBLISHED);
        if (!config.getSpec().refersToDiscoveryIgnition()) {
            return media.ignitionDigest(infraEnv, network);
        }
        return certificates instanceof Certificates.Known known ? media.referenceDigest(known.pem()) : null;
    }

    public static Infrastructure metal3(String format, @Nullable String host) {
        Metal3Machine machine = yaml("""
            metadata: {namespace: ns, name: m1-infra}
            spec: {image: {url: "http://images/rhcos", diskFormat: %s}}
            """.formatted(format), Metal3Machine.class);
        if (host == null) {
            return new Metal3Infrastructure(machine, null);
        }
        machine.getMetadata().setAnnotations(Map.of("metal3.io/BareMetalHost", "ns/" + host));
        return new Metal3Infrastructure(
                machine,
                yaml(
                        "{metadata: {namespace: ns, name: %1$s, uid: %1$s-uid}, spec: {consumerRef: {kind: Metal3Machine, name: m1-infra, namespace: ns}, bootMACAddress: '52:54:00:0A:00:01', rootDeviceHints: {deviceName: /dev/sda}}}"
                                .formatted(host),
                        BareMetalHost.class));
    }

    public static InfraEnv published(String token) {
        return yaml("""
            metadata:
              namespace: ns
              name: m1
              labels: {bootstrap.cluster.x-k8s.io/openshiftAssistedConfig: c1}
            status:
              isoDownloadURL: %s
              bootArtifacts: {discoveryIgnitionURL: "http://assisted/ign?api_key=%s"}
              conditions: [{type: ImageCreated, status: "True", reason: ImageCreated}]
            """.formatted(ISO, token), InfraEnv.class);
    }

    /** An object as the caches keep it: a decision that reads what they drop fails in its test. */
    public static <R> R yaml(String yaml, Class<R> kind) {
        // What begins with a brace would be taken for JSON.
        R object = Serialization.unmarshal("---\n" + yaml, kind);
        switch (object) {
            case Agent agent -> ConfigPruning.agent(agent);
            case AgentClusterInstall install -> ConfigPruning.install(install);
            case Cluster cluster -> ConfigPruning.cluster(cluster);
            case InfraEnv infraEnv -> ConfigPruning.infraEnv(infraEnv);
            case ClusterDeployment deployment -> ConfigPruning.deployment(deployment);
            case Machine machine -> ConfigPruning.machine(machine);
            default -> CachedMetal3.pruned(object);
        }
        return object;
    }
}
