package io.capoa.lab.cloud;

import io.capoa.api.contract.Fields;
import io.capoa.api.contract.Machine;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The zones of a region of the simulated cloud. */
final class Zones {

    private static final String DEFAULT_REGION = "lab-north";
    private static final List<String> SUFFIXES = List.of("a", "b", "c");

    private Zones() {}

    /** Failure domains of a cluster, as Cluster API's v1beta2 contract has them. */
    static List<Map<String, Object>> failureDomains(LabCloudCluster cluster) {
        return SUFFIXES.stream()
                .map(suffix -> Map.<String, Object>of("name", region(cluster) + suffix, "controlPlane", true))
                .toList();
    }

    /** Zone of an instance: the Machine's failure domain, else the region's first, or the first of all for a Cluster of other infrastructure. */
    static String of(Machine machine, @Nullable LabCloudCluster cluster) {
        String asked = Fields.string(machine, "spec", "failureDomain");
        return asked == null ? region(cluster) + SUFFIXES.getFirst() : asked;
    }

    private static String region(@Nullable LabCloudCluster cluster) {
        String region = cluster == null ? null : Fields.string(cluster, "spec", "region");
        return region == null ? DEFAULT_REGION : region;
    }
}
