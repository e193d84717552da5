package io.capoa.lab;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/** One of the neighbours that the lab simulates, by the name that its user calls it. */
public enum Neighbour {
    CLUSTER_API("cluster-api", "Cluster API core"),
    METAL3("metal3", "Metal3 (CAPM3 and baremetal-operator)"),
    ASSISTED_SERVICE("assisted-service", "assisted-service with its part of Hive"),
    HOSTS("hosts", "the bare-metal hosts"),
    REGISTRY("registry", "the release registry");

    private final String word;
    private final String title;

    Neighbour(String word, String title) {
        this.word = word;
        this.title = title;
    }

    /** As it is written on the command line. */
    public String word() {
        return word;
    }

    /** As a sentence names it. */
    public String title() {
        return title;
    }

    /** The neighbour of that name. */
    public static Optional<Neighbour> of(String word) {
        return Arrays.stream(values()).filter(n -> n.word.equals(word)).findFirst();
    }

    /** All names, for people. */
    public static String words() {
        return Arrays.stream(values()).map(Neighbour::word).collect(Collectors.joining(", "));
    }
}
