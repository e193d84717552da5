package io.capoa.lab.core;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Resolves the version of a referenced kind: the highest in its CRD's contract label. */
public final class ContractVersion {

    /** Label of the implemented contract; its value is a list of versions separated by {@code _}. */
    static final String LABEL = "cluster.x-k8s.io/v1beta2";

    private static final Pattern VERSION = Pattern.compile("v(\\d+)(?:(alpha|beta)(\\d+))?");

    private ContractVersion() {}

    /**
     * The version and plural of a kind.
     *
     * @throws IllegalStateException if the CRD does not exist or lacks the contract label
     */
    public static ResourceDefinitionContext of(KubernetesClient client, String group, String kind) {
        String plural = plural(kind.toLowerCase(Locale.ROOT));
        String name = plural + "." + group;
        CustomResourceDefinition crd = client.apiextensions()
                .v1()
                .customResourceDefinitions()
                .withName(name)
                .get();
        if (crd == null) {
            throw new IllegalStateException("there is no CustomResourceDefinition " + name);
        }
        Map<String, String> labels = crd.getMetadata().getLabels();
        String versions = labels == null ? null : labels.get(LABEL);
        if (versions == null) {
            throw new IllegalStateException("CustomResourceDefinition " + name + " has no label " + LABEL);
        }
        return new ResourceDefinitionContext.Builder()
                .withGroup(group)
                .withVersion(highest(versions))
                .withKind(kind)
                .withPlural(plural)
                .withNamespaced(true)
                .build();
    }

    /** The highest of {@code v1alpha3_v1beta1_v1}, in Kubernetes version order. */
    static String highest(String versions) {
        return Arrays.stream(versions.split("_", -1))
                .max(Comparator.comparingLong(ContractVersion::rank))
                .orElseThrow();
    }

    private static long rank(String version) {
        Matcher m = VERSION.matcher(version);
        if (!m.matches()) {
            return -1;
        }
        long stage = m.group(2) == null ? 2 : m.group(2).equals("beta") ? 1 : 0;
        long minor = m.group(3) == null ? 0 : Long.parseLong(m.group(3));
        return stage * 100_000_000 + Long.parseLong(m.group(1)) * 10_000 + minor;
    }

    /** The plural that Cluster API computes for a kind (the CRD has to be named by it). */
    static String plural(String kind) {
        if (kind.endsWith("s") || kind.endsWith("x") || kind.endsWith("ch") || kind.endsWith("sh")) {
            return kind + "es";
        }
        boolean consonantY =
                kind.endsWith("y") && kind.length() > 1 && "aeiou".indexOf(kind.charAt(kind.length() - 2)) < 0;
        return consonantY ? kind.substring(0, kind.length() - 1) + "ies" : kind + "s";
    }
}
