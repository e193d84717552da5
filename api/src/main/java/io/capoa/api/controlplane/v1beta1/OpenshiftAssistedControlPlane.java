package io.capoa.api.controlplane.v1beta1;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import io.capoa.api.ReadInPart;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.crd.generator.annotation.Labels;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Categories;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Singular;
import io.fabric8.kubernetes.model.annotation.Version;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The control plane of one OpenShift cluster. */
@Group(OpenshiftAssistedControlPlane.GROUP)
@Version("v1beta1")
@Kind("OpenshiftAssistedControlPlane")
@Plural("openshiftassistedcontrolplanes")
@Singular("openshiftassistedcontrolplane")
@ShortNames({"oacp", "oacps"})
@Categories("cluster-api")
@Labels("cluster.x-k8s.io/v1beta2=v1beta1")
@JsonClassDescription(
        "The control plane of one OpenShift cluster: installed on bare-metal hosts by assisted-service, without a "
                + "bootstrap node. A Cluster refers to it in spec.controlPlaneRef.")
@ValidationRule(
        value = ReplicaCountRules.SINGLE_STAYS_SINGLE,
        fieldPath = ".spec.replicas",
        message = "spec.replicas of an installed cluster cannot change from or to 1, because OpenShift fixes at the "
                + "installation whether a cluster is a single node: write back the number of hosts, or install another "
                + "cluster")
@AdditionalPrinterColumn(
        name = "Desired",
        jsonPath = ".spec.replicas",
        type = AdditionalPrinterColumn.Type.INTEGER,
        getDescription = "Wanted Machines")
@AdditionalPrinterColumn(
        name = "Ready",
        jsonPath = ".status.readyReplicas",
        type = AdditionalPrinterColumn.Type.INTEGER,
        getDescription = "Machines that are Ready")
@AdditionalPrinterColumn(
        name = "Available",
        jsonPath = ".status.conditions[?(@.type==\"Available\")].status",
        type = AdditionalPrinterColumn.Type.STRING,
        getDescription = "Whether the API server takes requests")
@AdditionalPrinterColumn(
        name = "Reason",
        jsonPath = ".status.conditions[?(@.type==\"Ready\")].reason",
        type = AdditionalPrinterColumn.Type.STRING,
        getDescription = "Ready, or the first reason why not")
@AdditionalPrinterColumn(
        name = "Version",
        jsonPath = ".status.distributionVersion",
        type = AdditionalPrinterColumn.Type.STRING,
        getDescription = "OpenShift release that the cluster runs")
@AdditionalPrinterColumn(
        name = "Wanted",
        jsonPath = ".spec.distributionVersion",
        type = AdditionalPrinterColumn.Type.STRING,
        getDescription = "OpenShift release that is asked for")
@AdditionalPrinterColumn(
        name = "Update",
        jsonPath = ".status.conditions[?(@.type==\"MachinesUpToDate\")].reason",
        type = AdditionalPrinterColumn.Type.STRING,
        getDescription = "Whether the Machines match the spec, or why an upgrade does not start")
@AdditionalPrinterColumn(
        name = "Age",
        jsonPath = ".metadata.creationTimestamp",
        type = AdditionalPrinterColumn.Type.DATE,
        getDescription = "Time since creation")
@AdditionalPrinterColumn(
        name = "Cluster",
        jsonPath = ".metadata.labels['cluster\\.x-k8s\\.io/cluster-name']",
        type = AdditionalPrinterColumn.Type.STRING,
        priority = 10,
        getDescription = "Cluster the control plane belongs to")
@AdditionalPrinterColumn(
        name = "Initialized",
        jsonPath = ".status.initialization.controlPlaneInitialized",
        type = AdditionalPrinterColumn.Type.BOOLEAN,
        priority = 10,
        getDescription = "Whether the API server has answered")
@AdditionalPrinterColumn(
        name = "Replicas",
        jsonPath = ".status.replicas",
        type = AdditionalPrinterColumn.Type.INTEGER,
        priority = 10,
        getDescription = "Machines that exist")
@AdditionalPrinterColumn(
        name = "Up-To-Date",
        jsonPath = ".status.upToDateReplicas",
        type = AdditionalPrinterColumn.Type.INTEGER,
        priority = 10,
        getDescription = "Machines that match the spec")
@AdditionalPrinterColumn(
        name = "Kubernetes",
        jsonPath = ".status.version",
        type = AdditionalPrinterColumn.Type.STRING,
        priority = 10,
        getDescription = "Lowest Kubernetes version that runs")
@AdditionalPrinterColumn(
        name = "Paused",
        jsonPath = ".status.conditions[?(@.type==\"Paused\")].status",
        type = AdditionalPrinterColumn.Type.STRING,
        priority = 10,
        getDescription = "Whether reconciliation is paused")
@AdditionalPrinterColumn(
        name = "Upgrade",
        jsonPath = ".status.conditions[?(@.type==\"UpgradeCompleted\")].message",
        type = AdditionalPrinterColumn.Type.STRING,
        priority = 10,
        getDescription = "How far the upgrade is; empty when none is under way")
@AdditionalPrinterColumn(
        name = "Upgrade Refused",
        jsonPath = ".status.conditions[?(@.type==\"UpgradeAvailable\")].message",
        type = AdditionalPrinterColumn.Type.STRING,
        priority = 10,
        getDescription = "Why an upgrade does not start, and what to do next")
@AdditionalPrinterColumn(
        name = "Message",
        jsonPath = ".status.conditions[?(@.type==\"Ready\")].message",
        type = AdditionalPrinterColumn.Type.STRING,
        priority = 10,
        getDescription = "What is wrong or waited for, and what to do next")
public class OpenshiftAssistedControlPlane
        extends CustomResource<OpenshiftAssistedControlPlaneSpec, OpenshiftAssistedControlPlaneStatus>
        implements Namespaced, ReadInPart {

    public static final String GROUP = "controlplane.cluster.x-k8s.io";

    private transient List<String> unreadable = List.of();

    @Override
    protected @Nullable OpenshiftAssistedControlPlaneSpec initSpec() {
        return null;
    }

    @Override
    protected @Nullable OpenshiftAssistedControlPlaneStatus initStatus() {
        return null;
    }

    @Override
    public List<String> unreadable() {
        return unreadable;
    }

    @Override
    public void readWithout(List<String> reasons) {
        unreadable = List.copyOf(reasons);
    }
}
