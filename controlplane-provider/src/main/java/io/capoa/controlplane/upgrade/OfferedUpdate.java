package io.capoa.controlplane.upgrade;

import java.util.List;

/**
 * An update that the cluster's update service offers.
 *
 * @param risks names of known risks because of which it is not recommended for the cluster; empty if it is
 */
public record OfferedUpdate(ReleaseName release, List<String> risks) {

    public OfferedUpdate {
        risks = List.copyOf(risks);
    }
}
