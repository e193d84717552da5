package io.capoa.api.bootstrap.v1beta1;

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

/** How one bare-metal host boots, is discovered and joins; one per Machine. */
@Group(OpenshiftAssistedConfig.GROUP)
@Version("v1beta1")
@Kind("OpenshiftAssistedConfig")
@Plural("openshiftassistedconfigs")
@Singular("openshiftassistedconfig")
@ShortNames({"oac", "oacs"})
@Categories("cluster-api")
@Labels("cluster.x-k8s.io/v1beta2=v1beta1")
@JsonClassDescription("Configures how a bare-metal host boots, is discovered and joins its cluster; one per "
        + "Machine. A control plane creates it, or a MachineSet from an "
        + "OpenshiftAssistedConfigTemplate; it provides the Machine's bootstrap data.")
@ValidationRule(
        value = "has(self.spec) == has(oldSelf.spec) && (!has(self.spec) || self.spec == oldSelf.spec)",
        fieldPath = ".spec",
        message = "spec of an OpenshiftAssistedConfig cannot be changed: change the template it was made from "
                + "(OpenshiftAssistedConfigTemplate, or spec.openshiftAssistedConfigSpec of the control plane) and replace the "
                + "Machine")
@AdditionalPrinterColumn(
        name = "Cluster",
        jsonPath = ".metadata.labels['cluster\\.x-k8s\\.io/cluster-name']",
        type = AdditionalPrinterColumn.Type.STRING,
        getDescription = "Cluster the host belongs to")
@AdditionalPrinterColumn(
        name = "Ready",
        jsonPath = ".status.conditions[?(@.type==\"Ready\")].status",
        type = AdditionalPrinterColumn.Type.STRING,
        getDescription = "Summary of the conditions")
@AdditionalPrinterColumn(
        name = "Reason",
        jsonPath = ".status.conditions[?(@.type==\"Ready\")].reason",
        type = AdditionalPrinterColumn.Type.STRING,
        getDescription = "Why it is ready or not")
@AdditionalPrinterColumn(
        name = "Host",
        jsonPath = ".status.host.name",
        type = AdditionalPrinterColumn.Type.STRING,
        getDescription = "Host name, once the host has reported to assisted-service")
@AdditionalPrinterColumn(
        name = "Stage",
        jsonPath = ".status.host.stage",
        type = AdditionalPrinterColumn.Type.STRING,
        getDescription = "Stage of the installation, or the one at which it failed")
@AdditionalPrinterColumn(
        name = "Percent",
        jsonPath = ".status.host.percent",
        type = AdditionalPrinterColumn.Type.INTEGER,
        getDescription = "How much of the installation is done")
@AdditionalPrinterColumn(
        name = "Age",
        jsonPath = ".metadata.creationTimestamp",
        type = AdditionalPrinterColumn.Type.DATE,
        getDescription = "Time since creation")
@AdditionalPrinterColumn(
        name = "Machine",
        jsonPath = ".metadata.ownerReferences[?(@.kind==\"Machine\")].name",
        type = AdditionalPrinterColumn.Type.STRING,
        priority = 10,
        getDescription = "Machine the config is for")
@AdditionalPrinterColumn(
        name = "Data Secret Created",
        jsonPath = ".status.initialization.dataSecretCreated",
        type = AdditionalPrinterColumn.Type.BOOLEAN,
        priority = 10,
        getDescription = "Whether the bootstrap data is complete")
@AdditionalPrinterColumn(
        name = "Paused",
        jsonPath = ".status.conditions[?(@.type==\"Paused\")].status",
        type = AdditionalPrinterColumn.Type.STRING,
        priority = 10,
        getDescription = "Whether reconciliation is paused")
@AdditionalPrinterColumn(
        name = "Message",
        jsonPath = ".status.conditions[?(@.type==\"Ready\")].message",
        type = AdditionalPrinterColumn.Type.STRING,
        priority = 10,
        getDescription = "What is wrong or waited for, and what to do next")
public class OpenshiftAssistedConfig extends CustomResource<OpenshiftAssistedConfigSpec, OpenshiftAssistedConfigStatus>
        implements Namespaced, ReadInPart {

    public static final String GROUP = "bootstrap.cluster.x-k8s.io";

    private transient List<String> unreadable = List.of();

    @Override
    protected @Nullable OpenshiftAssistedConfigSpec initSpec() {
        return null;
    }

    @Override
    protected @Nullable OpenshiftAssistedConfigStatus initStatus() {
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
