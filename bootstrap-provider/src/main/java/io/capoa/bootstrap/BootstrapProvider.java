package io.capoa.bootstrap;

import io.capoa.bootstrap.boot.AssistedService;
import io.capoa.bootstrap.config.ConfigReconciler;
import io.capoa.runtime.manager.Manager;
import io.capoa.runtime.manager.ManagerDescription;
import io.capoa.runtime.manager.Registrar;
import java.time.Clock;
import okhttp3.OkHttpClient;

/** The bootstrap provider's manager process. */
public final class BootstrapProvider {

    /** The Go provider's leader election id: of the two never more than one works. */
    private static final String LEADER_ELECTION_ID = "08dff33b.cluster.x-k8s.io";

    private BootstrapProvider() {}

    public static void main(String[] arguments) {
        System.exit(Manager.run(
                new ManagerDescription("bootstrap", LEADER_ELECTION_ID, "capoa-bootstrap-system"),
                BootstrapProvider::setUp,
                arguments));
    }

    private static void setUp(Registrar registrar) {
        ConfigReconciler reconciler = new ConfigReconciler(
                registrar.client(),
                registrar.description().fieldManager(),
                new OkHttpClient(),
                AssistedService.fromEnvironment(System.getenv()),
                Clock.systemUTC());
        registrar.register(reconciler);
        registrar.closeAtStop(reconciler);
    }
}
