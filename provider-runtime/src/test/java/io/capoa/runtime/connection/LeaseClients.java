package io.capoa.runtime.connection;

import io.capoa.runtime.leadership.Leadership;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

/** The managers' client for their Lease, for tests of other packages. */
public final class LeaseClients {

    private LeaseClients() {}

    public static KubernetesClient of(String address) {
        return ManagementClient.apart(
                new ConfigBuilder(Config.empty()).withMasterUrl(address).build(),
                "test",
                "manager",
                new SimpleMeterRegistry(),
                Leadership.THREADS);
    }
}
