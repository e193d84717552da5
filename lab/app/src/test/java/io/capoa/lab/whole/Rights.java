package io.capoa.lab.whole;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertAll;

import io.capoa.api.Labels;
import io.capoa.lab.cluster.AuditEntry;
import io.capoa.lab.cluster.ProjectRoot;
import io.capoa.lab.provider.Provider;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Least privilege: no request of a provider is forbidden, and every granted right is used, in the life of a cluster or
 * in the named test.
 */
final class Rights {

    /** The API server checks this right internally, which the audit log does not show. */
    private static final String OWNERS = "where OwnerReferencesPermissionEnforcement is on, as on OpenShift";

    private static final String MIGRATED = "manager.ConversionTest";

    private static final Set<String> READS = Set.of("get", "list", "watch");

    /** Bootstrap data, kubeconfigs of clusters, and kubeconfigs of assisted-service. */
    private static final List<String> LABELS_OF_SECRETS =
            List.of(Labels.CONFIG_NAME, Labels.CLUSTER_NAME, "hive.openshift.io/secret-type=kubeconfig");

    private static final Map<String, String> RARE_OF_BOOTSTRAP = Map.ofEntries(
            Map.entry("patch customresourcedefinitions/status.apiextensions.k8s.io", MIGRATED),
            Map.entry("patch openshiftassistedconfigtemplates.bootstrap.cluster.x-k8s.io", MIGRATED),
            Map.entry("patch openshiftassistedconfigtemplates/status.bootstrap.cluster.x-k8s.io", MIGRATED),
            Map.entry("get machines.cluster.x-k8s.io", "bootstrap.UnseenMachinesTest"),
            Map.entry(
                    "get openshiftassistedconfigs.bootstrap.cluster.x-k8s.io",
                    "a finalizer that is written twice at once"),
            Map.entry("update openshiftassistedconfigs/finalizers.bootstrap.cluster.x-k8s.io", OWNERS),
            Map.entry("patch metal3machines.infrastructure.cluster.x-k8s.io", "whole.LiveIsoTest"),
            Map.entry("patch secrets", "bootstrap.TokenRenewalTest"),
            Map.entry("list configmaps", "bootstrap.PrivateCaTest"),
            Map.entry("watch configmaps", "bootstrap.PrivateCaTest"),
            Map.entry("create events.events.k8s.io", "bootstrap.EventsTest"),
            Map.entry("patch events.events.k8s.io", "bootstrap.EventsTest"),
            Map.entry("patch baremetalhosts.metal3.io", "whole.LiveIsoTest"));

    private static final Map<String, String> RARE_OF_CONTROL_PLANE = Map.ofEntries(
            Map.entry("patch customresourcedefinitions/status.apiextensions.k8s.io", MIGRATED),
            Map.entry("patch openshiftassistedcontrolplanetemplates.controlplane.cluster.x-k8s.io", MIGRATED),
            Map.entry(
                    "get openshiftassistedcontrolplanes.controlplane.cluster.x-k8s.io",
                    "a finalizer that is written twice at once"),
            Map.entry("update openshiftassistedcontrolplanes/finalizers.controlplane.cluster.x-k8s.io", OWNERS),
            Map.entry(
                    "create managedclustersets/join.cluster.open-cluster-management.io",
                    "Advanced Cluster Management's admission of ClusterDeployments asks for it"),
            Map.entry("get metal3machines.infrastructure.cluster.x-k8s.io", "controlplane.RetryInstallTest"),
            Map.entry("delete secrets", "controlplane.RetryInstallTest"),
            Map.entry("patch machinehealthchecks.cluster.x-k8s.io", "controlplane.HealthChecksDuringUpgradeTest"),
            Map.entry("patch metal3machines.infrastructure.cluster.x-k8s.io", "controlplane.ControlPlaneMachinesTest"),
            Map.entry(
                    "patch openshiftassistedconfigs.bootstrap.cluster.x-k8s.io",
                    "controlplane.ControlPlaneMachinesTest"),
            Map.entry(
                    "list extensionconfigs.runtime.cluster.x-k8s.io",
                    "a MachineDeployment whose version its Machines lack, which may pass unseen"),
            Map.entry("get configmaps", "controlplane.InstallInputsTest"),
            Map.entry("list configmaps", "controlplane.InstallInputsTest"),
            Map.entry("watch configmaps", "controlplane.InstallInputsTest"),
            Map.entry("create configmaps", "controlplane.InstallInputsTest"),
            Map.entry("patch configmaps", "controlplane.InstallInputsTest"),
            Map.entry(
                    "list metal3machinetemplates.infrastructure.cluster.x-k8s.io",
                    "controlplane.ControlPlaneInstallTest"),
            Map.entry(
                    "watch metal3machinetemplates.infrastructure.cluster.x-k8s.io",
                    "controlplane.ControlPlaneInstallTest"),
            Map.entry("list hardwaredata.metal3.io", "controlplane.WaysToFailTest"),
            Map.entry("create events.events.k8s.io", "whole.DayTwoTest"),
            Map.entry("patch events.events.k8s.io", "whole.DayTwoTest"));

    private Rights() {}

    /**
     * Asserts that the providers use what their roles grant, and no more.
     *
     * @param requests all requests since the providers were installed, until a cluster has been deleted
     */
    static void assertFit(List<AuditEntry> requests) {
        assertAll(
                () -> assertFits(requests, Provider.BOOTSTRAP, "bootstrap", RARE_OF_BOOTSTRAP),
                () -> assertFits(requests, Provider.CONTROL_PLANE, "controlplane", RARE_OF_CONTROL_PLANE),
                () -> assertReadsOfSecretsAreBounded(requests));
    }

    /**
     * RBAC cannot restrict Secrets: every read is by name, which lists and watches have as field selector, or by a
     * cluster label.
     */
    private static void assertReadsOfSecretsAreBounded(List<AuditEntry> requests) {
        List<AuditEntry> reads = requests.stream()
                .filter(request -> Stream.of(Provider.values())
                        .anyMatch(provider -> request.user().equals(provider.user())))
                .filter(request -> request.resource().equals("secrets") && READS.contains(request.verb()))
                .toList();

        assertThat(reads).isNotEmpty();
        assertThat(reads)
                .filteredOn(request -> request.name().isEmpty()
                        && LABELS_OF_SECRETS.stream()
                                .noneMatch(label -> decoded(request.uri()).contains("labelSelector=" + label)))
                .extracting(AuditEntry::uri)
                .as("reads of Secrets that are neither by name nor by label")
                .isEmpty();
    }

    private static String decoded(String uri) {
        return URLDecoder.decode(uri, StandardCharsets.UTF_8);
    }

    private static void assertFits(List<AuditEntry> requests, Provider user, String provider, Map<String, String> rare)
            throws IOException {
        List<AuditEntry> own = requests.stream()
                .filter(request -> request.user().equals(user.user()))
                .toList();
        assertThat(own).isNotEmpty();
        assertThat(own)
                .filteredOn(request -> request.code() == 403)
                .extracting(AuditEntry::uri)
                .as("requests of the %s provider that were refused", provider)
                .isEmpty();

        SortedSet<String> unused = new TreeSet<>();
        Right.granted(role(provider)).forEach(right -> unused.add(right.toString()));
        assertThat(unused)
                .as("rare rights that the role of the %s provider does not grant", provider)
                .containsAll(rare.keySet());
        own.stream().flatMap(Right::needed).forEach(right -> unused.remove(right.toString()));
        unused.removeAll(rare.keySet());
        assertThat(unused)
                .as("rights of the %s provider that nothing uses", provider)
                .isEmpty();
    }

    /** The aggregated role: what the provider always needs, and what it needs of Metal3 and for migrations. */
    private static ClusterRole role(String provider) throws IOException {
        List<PolicyRule> rules = new ArrayList<>();
        for (String part : List.of("base", "metal3", "migration")) {
            Path file = ProjectRoot.find().resolve("config/%s/rbac/%s_role.yaml".formatted(provider, part));
            rules.addAll(new KubernetesSerialization()
                    .unmarshal(Files.readString(file), ClusterRole.class)
                    .getRules());
        }
        return new ClusterRoleBuilder().withRules(rules).build();
    }
}
