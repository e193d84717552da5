package io.capoa.controlplane.plan;

import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigSpec;
import io.capoa.api.bootstrap.v1beta1.OpenshiftAssistedConfigTemplate;
import io.capoa.api.contract.BareMetalHost;
import io.capoa.api.contract.Cluster;
import io.capoa.api.contract.ClusterView;
import io.capoa.api.contract.ContractReference;
import io.capoa.api.contract.Fields;
import io.capoa.api.contract.MachineDeployment;
import io.capoa.api.contract.MachineGroupView;
import io.capoa.api.contract.Metal3Machine;
import io.capoa.api.controlplane.v1beta1.ArbiterSettings;
import io.capoa.api.controlplane.v1beta1.ClusterConfig;
import io.capoa.api.controlplane.v1beta1.MachineTemplate.InfrastructureReference;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlane;
import io.capoa.api.controlplane.v1beta1.OpenshiftAssistedControlPlaneSpec;
import io.capoa.api.controlplane.v1beta1.RolloutSettings;
import io.capoa.controlplane.identity.ControlPlaneIdentity;
import io.capoa.controlplane.plan.NetworkPlan.DnsName;
import io.capoa.controlplane.plan.PlanFinding.Severity;
import io.capoa.controlplane.plan.PlanFinding.Subject;
import io.capoa.controlplane.plan.PlanInput.Absence;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The plan of one Cluster's installation. A pure function of its input: no host is touched, and no server asked.
 *
 * @param hosts of the Cluster's namespace, see {@link HostPlan}
 * @param names that have to exist in DNS
 * @param findings the gravest first, each once
 */
public record InstallationPlan(
        Subject cluster, List<HostPlan.Row> hosts, List<DnsName> names, List<PlanFinding> findings) {

    private static final String INFRASTRUCTURE = "infrastructure.cluster.x-k8s.io";
    private static final String METAL3_TEMPLATE = "Metal3MachineTemplate";
    private static final String CONTROL_PLANE = "OpenshiftAssistedControlPlane";
    private static final String CONFIG_TEMPLATE = "OpenshiftAssistedConfigTemplate";

    public InstallationPlan {
        findings = findings.stream()
                .distinct()
                .sorted(Comparator.comparing(PlanFinding::severity))
                .toList();
    }

    /**
     * The plans of all Clusters with a control plane of this provider.
     *
     * @param resolver looks up DNS names; {@code null} to leave them alone
     */
    public static List<InstallationPlan> of(PlanInput input, @Nullable Function<String, List<String>> resolver) {
        return input.ofKind("Cluster")
                .flatMap(subject -> input.find(Cluster.class, subject).stream())
                .filter(cluster -> CONTROL_PLANE.equals(
                        ClusterView.of(cluster).controlPlaneRef().kind()))
                .map(cluster -> new Planning(input, cluster).plan(resolver))
                .toList();
    }

    /** How many findings have a severity. */
    public long count(Severity severity) {
        return findings.stream()
                .filter(finding -> finding.severity() == severity)
                .count();
    }

    /** The plan while it is made. */
    private static final class Planning {

        private final PlanInput input;
        private final Cluster cluster;
        private final String namespace;
        private final List<PlanFinding> findings = new ArrayList<>();

        Planning(PlanInput input, Cluster cluster) {
            this.input = input;
            this.cluster = cluster;
            this.namespace = cluster.getMetadata().getNamespace();
        }

        InstallationPlan plan(@Nullable Function<String, List<String>> resolver) {
            Subject reference = new Subject(
                    CONTROL_PLANE,
                    namespace,
                    Objects.requireNonNullElse(
                            ClusterView.of(cluster).controlPlaneRef().name(), ""));
            if (!isGiven(Subject.of(cluster), "spec.controlPlaneRef", reference)) {
                return new InstallationPlan(Subject.of(cluster), List.of(), List.of(), findings);
            }
            OpenshiftAssistedControlPlane controlPlane =
                    PlanObjects.controlPlane(input, reference, findings).orElse(null);
            ClusterConfig config =
                    controlPlane == null ? null : controlPlane.getSpec().config();
            if (controlPlane == null || config == null) {
                return new InstallationPlan(Subject.of(cluster), List.of(), List.of(), findings);
            }
            ControlPlaneIdentity identity =
                    new ControlPlaneIdentity(controlPlane, cluster.getMetadata().getName());
            List<HostPool> pools = new ArrayList<>(controlPlanePools(reference, controlPlane.getSpec()));
            pools.addAll(workerPools());
            List<InspectedHost> hosts = input.all(BareMetalHost.class, "BareMetalHost", namespace).stream()
                    .map(host -> InspectedHost.of(host, input))
                    .toList();
            HostPlan hostPlan = HostPlan.of(
                    cluster.getMetadata().getName(), controlPlane.getSpec().distributionVersion(), pools, hosts);
            int nodes = pools.stream().mapToInt(HostPool::replicas).sum();
            NetworkPlan networks = NetworkPlan.of(identity, config, cluster, nodes, hosts, resolver);
            findings.addAll(networks.findings());
            findings.addAll(InputPlan.of(input, identity, pools));
            findings.addAll(hostPlan.findings());
            if (input.absence("NMStateConfig") != Absence.UNREAD) {
                findings.addAll(NetworkSettingsPlan.of(input, namespace, pools, hosts));
            }
            return new InstallationPlan(Subject.of(cluster), hostPlan.rows(), networks.names(), findings);
        }

        private List<HostPool> controlPlanePools(Subject subject, OpenshiftAssistedControlPlaneSpec spec) {
            int replicas = spec.replicas() == null ? 0 : spec.replicas();
            int arbiters = ArbiterSettings.count(spec.arbiter());
            HostRole role = replicas == 1 ? HostRole.SINGLE_NODE : HostRole.CONTROL_PLANE;
            InfrastructureReference template = spec.machineTemplate().spec().infrastructureRef();
            InfrastructureReference ofArbiter =
                    spec.arbiter() == null || spec.arbiter().infrastructureRef() == null
                            ? template
                            : spec.arbiter().infrastructureRef();
            List<HostPool> pools = new ArrayList<>();
            int surge = replicas > 1 ? surge(spec.rollout()) : 0;
            controlPlanePool(subject, spec, role, replicas - arbiters, surge, template)
                    .ifPresent(pools::add);
            if (arbiters > 0) {
                controlPlanePool(subject, spec, HostRole.ARBITER, arbiters, surge, ofArbiter)
                        .ifPresent(pools::add);
            }
            return pools;
        }

        private Optional<HostPool> controlPlanePool(
                Subject subject,
                OpenshiftAssistedControlPlaneSpec spec,
                HostRole role,
                int replicas,
                int surge,
                InfrastructureReference template) {
            return machine(
                            subject,
                            "spec.machineTemplate.spec.infrastructureRef",
                            template.apiGroup(),
                            template.kind(),
                            template.name())
                    .map(machine -> new HostPool(
                            role,
                            subject,
                            replicas,
                            surge,
                            spec.openshiftAssistedConfigSpec(),
                            subject,
                            "spec.openshiftAssistedConfigSpec",
                            new Subject(METAL3_TEMPLATE, namespace, template.name()),
                            machine));
        }

        private static int surge(@Nullable RolloutSettings settings) {
            RolloutSettings.Strategy strategy = settings == null ? null : settings.strategy();
            if (strategy == null) {
                return 1;
            }
            Integer surge = strategy.rollingUpdate() == null
                    ? null
                    : strategy.rollingUpdate().maxSurge();
            return strategy.type().equals("OnDelete") ? 0 : surge == null ? 1 : surge;
        }

        private List<HostPool> workerPools() {
            List<HostPool> pools = new ArrayList<>();
            for (MachineDeployment deployment : input.all(MachineDeployment.class, "MachineDeployment", namespace)) {
                MachineGroupView view = MachineGroupView.of(deployment);
                ContractReference config = view.bootstrap().configRef();
                if (!cluster.getMetadata().getName().equals(view.clusterName())
                        || !CONFIG_TEMPLATE.equals(config.kind())) {
                    continue;
                }
                Subject subject = Subject.of(deployment);
                Subject settings =
                        new Subject(CONFIG_TEMPLATE, namespace, Objects.requireNonNullElse(config.name(), ""));
                OpenshiftAssistedConfigSpec spec = isGiven(subject, "spec.template.spec.bootstrap.configRef", settings)
                        ? PlanObjects.configTemplate(input, settings, findings)
                                .map(OpenshiftAssistedConfigTemplate::getSpec)
                                .flatMap(found -> Optional.ofNullable(found.template()))
                                .flatMap(found -> Optional.ofNullable(found.spec()))
                                .orElse(null)
                        : null;
                ContractReference infrastructure =
                        new ContractReference(Fields.map(deployment, "spec", "template", "spec", "infrastructureRef"));
                machine(
                                subject,
                                "spec.template.spec.infrastructureRef",
                                group(infrastructure),
                                infrastructure.kind(),
                                Objects.requireNonNullElse(infrastructure.name(), ""))
                        .ifPresent(machine -> pools.add(new HostPool(
                                HostRole.WORKER,
                                subject,
                                view.replicas(),
                                surge(deployment, view.replicas()),
                                spec,
                                settings,
                                "spec.template.spec",
                                new Subject(
                                        METAL3_TEMPLATE,
                                        namespace,
                                        Objects.requireNonNullElse(infrastructure.name(), "")),
                                machine)));
            }
            return pools;
        }

        /** Of a reference in Cluster API's v1beta1 the group is in the API version. */
        private static String group(ContractReference reference) {
            String group = reference.group();
            return group != null
                    ? group
                    : Fields.text(reference.fields(), "apiVersion").replaceFirst("/.*", "");
        }

        /** As Cluster API computes it: 1 by default, a percentage rounded up. */
        private static int surge(MachineDeployment deployment, int replicas) {
            Object strategy = Objects.requireNonNullElse(
                    Fields.any(deployment, "spec", "rollout", "strategy"),
                    Objects.requireNonNullElse(Fields.any(deployment, "spec", "strategy"), Map.of()));
            if (replicas == 0 || Fields.text(strategy, "type").equals("OnDelete")) {
                return 0;
            }
            String surge = Fields.text(strategy, "rollingUpdate", "maxSurge");
            if (surge.matches("\\d{1,3}%")) {
                return (Integer.parseInt(surge.substring(0, surge.length() - 1)) * replicas + 99) / 100;
            }
            return surge.matches("\\d{1,6}") ? Integer.parseInt(surge) : 1;
        }

        /** A Metal3Machine as the template makes it; empty for hosts of another provider, and if it is not there. */
        private Optional<Metal3Machine> machine(
                Subject owner, String path, String group, @Nullable String kind, String name) {
            if (!INFRASTRUCTURE.equals(group) || !METAL3_TEMPLATE.equals(kind)) {
                return Optional.empty();
            }
            Subject template = new Subject(METAL3_TEMPLATE, namespace, name);
            if (!isGiven(owner, path, template)) {
                return Optional.empty();
            }
            return input.find(GenericKubernetesResource.class, template).map(found -> {
                Metal3Machine machine = new Metal3Machine();
                machine.setAdditionalProperty("spec", Fields.map(found, "spec", "template", "spec"));
                return machine;
            });
        }

        private boolean isGiven(Subject owner, String path, Subject referred) {
            if (input.find(referred).isPresent()) {
                return true;
            }
            Absence absence = input.absence(referred.kind());
            findings.add(new PlanFinding(
                    PlanCheck.REFERENCE_MISSING,
                    absence.severity(),
                    owner,
                    path,
                    referred + " " + absence.described(),
                    "nothing is planned of it, and nothing installed without it",
                    "create it, or correct the reference"));
            return false;
        }
    }
}
