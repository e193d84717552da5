package io.capoa.lab;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/** A peer of the providers that the lab can simulate. */
public enum Peer {
    CLUSTER_API("cluster-api", "Cluster API core"),
    METAL3("metal3", "Metal3 (CAPM3 and baremetal-operator)"),
    CLOUD("cloud", "a cloud with its infrastructure provider"),
    ASSISTED_SERVICE("assisted-service", "assisted-service with its part of Hive"),
    HOSTS("hosts", "the bare-metal hosts"),
    REGISTRY("registry", "the release registry");

    private final String word;
    private final String title;

    Peer(String word, String title) {
        this.word = word;
        this.title = title;
    }

    /** Name on the command line. */
    public String word() {
        return word;
    }

    /** Name in messages. */
    public String title() {
        return title;
    }

    /** The peer with that name on the command line. */
    public static Optional<Peer> of(String word) {
        return Arrays.stream(values()).filter(n -> n.word.equals(word)).findFirst();
    }

    /** All names, separated by commas, for messages. */
    public static String words() {
        return Arrays.stream(values()).map(Peer::word).collect(Collectors.joining(", "));
    }
}
